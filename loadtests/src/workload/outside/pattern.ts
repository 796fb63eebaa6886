import { looksRandom } from '../../secret/forms.ts'

/** Parts of a path that say what kind of thing is asked for, not which one: words, versions, file names. */
const telling = [/^[a-z][a-z._-]{0,23}$/i, /^v\d+(\.\d+)*$/i, /^[a-z]{1,12}\d{1,2}$/i]

const isTelling = (part: string) => telling.some((words) => words.test(part)) && !looksRandom(part)

/** The path with `*` for ids and tokens, so that calls of one kind count together and no secret is stored. */
export const patternOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (part === '' || isTelling(part) ? part : '*'))
    .join('/')
