/** What stands in a record where a secret was given. */
export const redacted = 'REDACTED'
