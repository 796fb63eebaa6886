import type { Summary } from '../model/summary.ts'
import { compose } from './compose.ts'
import { printHtml } from './print/html.ts'
import { printMarkdown } from './print/markdown.ts'
import { printTerminal } from './print/terminal.ts'
import type { Series } from './series.ts'

/** One document, three printers. */

const folderOf = ({ id }: Summary) => `results/${id}`

export const renderConsole = (summary: Summary, options: { color: boolean; values?: string }): string =>
  printTerminal(compose(summary, [], folderOf(summary), options.values), options)

export const renderMarkdown = (summary: Summary, folder = folderOf(summary), values?: string): string =>
  printMarkdown(compose(summary, [], folder, values))

export const renderHtml = (summary: Summary, series: Series[], folder = folderOf(summary), values?: string): string =>
  printHtml(compose(summary, series, folder, values))
