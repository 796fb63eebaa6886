import type { Remedy } from '../model/bridge.ts'

/** What to do, so that a node runs as it was exported. */
export function remedyInWords(remedy: Remedy): string {
  switch (remedy.code) {
    case 'correct-node':
      return (
        `Correct the node "${remedy.node}" in the n8n editor, and export the workflow again: `
        + 'no request changes that.'
      )
    case 'answer':
      return (
        (remedy.source === remedy.node
          ? `"${remedy.node}" asks a service.`
          : `"${remedy.node}" works with what "${remedy.source}" got of its service.`)
        + ' Give an answer of it under outside.rules (docs/workload.md), or record it with --record-outside.'
      )
    case 'request-field':
      return (
        `Change "${remedy.name}" in request.json, line ${remedy.line} (${remedy.text}), and give it with `
        + '--request request.json.'
      )
    case 'request':
      return 'Give a request that the workflow can work with: --request FILE (docs/workload.md).'
    case 'environment':
      return (
        'n8n forbids $env since 2.0. If your n8n allows it: '
        + `--set 'role.extraEnv.N8N_BLOCK_ENV_ACCESS_IN_NODE="false"', and the variables that it reads likewise.`
      )
    case 'module':
      return (
        'n8n forbids this module. If yours allows it: '
        + `--set role.extraEnv.NODE_FUNCTION_ALLOW_BUILTIN=${remedy.name}.`
      )
    case 'graphics':
      return 'The image of n8n has GraphicsMagick and this machine does not: install graphicsmagick.'
    case 'python':
      return 'Code in Python needs the runners of the image: --engine container, with taskRunners as your n8n has them.'
    case 'log':
      return 'The last lines of its log say why n8n did not activate it.'
    case 'package':
      return `To run it: --set 'communityNodes.packages=[${remedy.name}@VERSION]'`
    case 'release':
      return (
        `Measure with a release of n8n that has ${remedy.type} (--set image.tag=VERSION), or replace the node in the `
        + 'n8n editor.'
      )
  }
}
