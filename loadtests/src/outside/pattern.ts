/** Parts of a path that name what is asked, and not which one of it: words, versions, file names. */
const telling = [/^[a-z][a-z._-]{0,23}$/i, /^v\d+(\.\d+)*$/i, /^[a-z]{1,12}\d{1,2}$/i]

/** A path with `*` for ids and tokens: calls of one kind count together, and a secret in a path is not kept. */
export const patternOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (part === '' || telling.some((words) => words.test(part)) ? part : '*'))
    .join('/')
