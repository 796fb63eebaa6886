import type { Bridge } from '../model/bridge.ts'
import type { Realism } from '../model/result.ts'
import type { Summary } from '../model/summary.ts'
import { list } from '../lib/figures.ts'
import { remedyInWords } from './remedy-words.ts'

const gives: Record<Bridge['gives'], string> = {
  pinned: 'its pinned data',
  read: 'what the nodes after it read',
  input: 'what it got',
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Of one node: why, what stood in for it, and what to give. */
export const bridgeInWords = (bridge: Bridge): string =>
  `"${bridge.node}" was bridged, by a node that gives ${gives[bridge.gives]}. n8n: ${sentence(bridge.said)} `
  + remedyInWords(bridge.remedy)

/** `12 of 13 nodes ran; "Log to Sheets" was bridged: …`; empty where all nodes were real. */
export const bridgedInShort = (summary: Summary): string[] =>
  bridgedIn(summary).map(({ workflow, nodes, ran, bridged = [] }) => {
    const [only] = bridged
    const names = list(bridged.slice(0, 3).map(({ node }) => `"${node}"`))
    const more = bridged.length > 3 ? ` and ${bridged.length - 3} more` : ''
    const why = bridged.length === 1 ? `: ${sentence(only!.said)}` : '.'
    const were = bridged.length === 1 ? 'was' : 'were'
    return `${workflow}: ${ran} of ${nodes} nodes ran; ${names}${more} ${were} bridged${why}`
  })

/** What to give for the whole. */
export const toHaveItWhole = (summary: Summary): string[] =>
  bridgedIn(summary).flatMap(({ workflow, bridged = [] }) =>
    bridged.map((bridge) => `${workflow}: ${bridgeInWords(bridge)}`),
  )

/** Each workflow once, whatever its variants. */
function bridgedIn({ results }: Summary): Realism[] {
  const all = results.flatMap(({ realism = [] }) => realism).filter(({ bridged }) => bridged?.length)
  return [...new Map(all.map((one) => [one.workflow, one])).values()]
}
