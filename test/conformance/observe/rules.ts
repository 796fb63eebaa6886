import type { Row } from '../database.ts'

/**
 * What differs between two runs of the same n8n, rule by rule: what is put in its place, and why it cannot be the same.
 */

/** In any text, in this order. */
export const textRules: { find: RegExp; as: string; why: string }[] = [
  { find: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, as: '<uuid>', why: 'made at random' },
  {
    find: /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g,
    as: '<time>',
    why: 'when it happened',
  },
  { find: /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\b/g, as: '<time>', why: 'when it happened' },
  { find: /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, as: '<token>', why: 'signed with the time' },
  { find: /\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/g, as: '<hash>', why: 'salted' },
  { find: /ssh-ed25519 \S+/g, as: '<ssh key>', why: 'made at random' },
  { find: /\bU2FsdGVkX1[\w+/]+=*/g, as: '<encrypted>', why: 'salted' },
  { find: /(127\.0\.0\.1|localhost):\d+/g, as: '<address>', why: 'each side has ports of its own' },
  { find: /\/tmp\/n8n-tuned-side-\w+/g, as: '<place>', why: 'each side has a folder of its own' },
  { find: /(signature=)[\w-]+/g, as: '$1<signature>', why: 'signs a random token' },
  { find: /formdata-undici-\d+/g, as: '<boundary>', why: 'made at random by the client' },
  { find: /\n\s+at [\s\S]*$/g, as: '\n<stack>', why: 'lines of code, which a patch changes' },
]

/** Whatever is under such a key; nothing stays nothing. */
export const keyRules: { keys: RegExp; as: string; why: string }[] = [
  {
    keys: /^(startTime|executionTime|timestamp|ts|lastActiveAt|executionDuration|runtime|duration|durationMs)$/,
    as: '<time>',
    why: 'how long, or when',
  },
  { keys: /^jobId$/, as: '<id>', why: 'counted, in the order that jobs came to the queue' },
  { keys: /^firstSuccessfulWorkflowId$/, as: '<first>', why: 'of two that end at one moment, either may be the first' },
  { keys: /(At|Till|Until|Time|Date|_at)$/, as: '<time>', why: 'when it happened' },
  { keys: /^(jsonSizeBytes|sizeBytes|fileSizeBytes)$/, as: '<size>', why: 'counts the digits of times' },
  {
    keys: /^(resumeToken|signature|etag|content-length|taskId|checksum|nextCursor)$/,
    as: '<random>',
    why: 'random, or follows from what is and from times',
  },
  {
    keys: /^(date|Readable date|Readable time|Second|Minute|Hour|Day of (week|month)|Month|Year)$/,
    as: '<time>',
    why: 'when it happened',
  },
]

/** Under such a key of an answer; the tables say the same in the end. */
export const answerRules: { keys: RegExp; as: string; why: string }[] = [
  { keys: /^triggerCount$/, as: '<count>', why: 'n8n 2 publishes a while after it answers' },
]

/** Tables that are left out, and why. */
export const leftOut: Record<string, string> = {}

/** Lists that n8n reads from its database without asking for an order. */
export const withoutOrder = /^scopes$/

/** A column of a table, where the row is one of these. */
export const columnRules: { table: RegExp; column: RegExp; when?(row: Row): boolean; as: string; why: string }[] = [
  {
    table: /^settings$/,
    column: /^value$/,
    when: ({ key }) => String(key).startsWith('instance.first'),
    as: '<first>',
    why: 'of two that end at one moment, either may be the first',
  },
  {
    table: /^insights_(raw|by_period)$/,
    column: /^value$/,
    when: ({ type }) => type === 1,
    as: '<time>',
    why: 'how long executions took',
  },
  {
    table: /^(?!workflow_entity|credentials_entity|execution_entity|tag_entity|role|scope)/,
    column: /^id$/,
    as: '<id>',
    why: 'random, or counted',
  },
  { table: /^deployment_key$/, column: /^value$/, as: '<encrypted>', why: 'salted, and random' },
  { table: /^insights_(raw|by_period)/, column: /^(timestamp|periodStart)$/, as: '<time>', why: 'when it happened' },
]
