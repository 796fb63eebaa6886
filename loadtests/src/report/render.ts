import type { Summary } from '../model/summary.ts'
import { compose } from './compose.ts'
import { printHtml } from './print/html.ts'
import { printMarkdown } from './print/markdown.ts'
import { printTerminal } from './print/terminal.ts'
import type { Series } from './series.ts'

/** One document, three printers. */

const folderOf = ({ id }: Summary) => `results/${id}`

export const renderConsole = (summary: Summary, options: { color: boolean }): string =>
  printTerminal(compose(summary, [], folderOf(summary)), options)

export const renderMarkdown = (summary: Summary, folder = folderOf(summary)): string =>
  printMarkdown(compose(summary, [], folder))

export const renderHtml = (summary: Summary, series: Series[], folder = folderOf(summary)): string =>
  printHtml(compose(summary, series, folder))
