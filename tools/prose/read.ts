import { commentsOf } from './hash.ts'
import { passages, type Passage } from './markdown.ts'
import { sourcePassages } from './source.ts'
import { templatePassages } from './template.ts'

/** The passages of a file, by its kind; none of pictures and data. Tests quote messages, which are read elsewhere. */
export function read(file: string, content: string): Passage[] {
  if (/\.md$/.test(file)) return passages(content)
  if (/\.[cm]?[jt]s$/.test(file) || /^#!.*node/.test(content)) {
    return sourcePassages(content, !file.startsWith('test/'))
  }
  const comments = (): Passage[] => passages(commentsOf(content))
  if (/\/templates\//.test(file)) return [...templatePassages(content), ...comments()]
  return /\.(?:ya?ml|sh)$|\/Makefile$/.test(`/${file}`) || /^#!.*sh\b/.test(content) ? comments() : []
}
