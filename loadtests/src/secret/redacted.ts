/** Replaces a secret in a record. */
export const redacted = 'REDACTED'
