import type { Plan } from '../plan.ts'
import { appsOf, patchesAt, type App } from './apps.ts'

export interface EcosystemOrder {
  firstPort: number
  /** The source of preload.cjs, written into the ecosystem file so that users keep one file instead of two. */
  preload: string
  /** The command that prints it. */
  command: string
}

/** An ecosystem file of PM2, as text: the plan's n8n processes, without secrets. */
export function ecosystemOf(plan: Plan, { firstPort, preload, command }: EcosystemOrder): string {
  const apps = appsOf(plan, firstPort)
  const { tag } = plan.workloads.find(({ component }) => component === 'main')!.containers[0]!.image
  const secrets = secretVariablesOf(apps)
  return `'use strict'
// n8n ${tag} under PM2, on the settings of the chart n8n-tuned. Made by: ${oneLine(command)}
// Make it anew rather than change it.

// PM2 reads this file; each n8n that it starts runs it first (--require).
if (process.execArgv.includes(__filename)) attend()
else module.exports = ecosystem()

function ecosystem() {
  const { dirname, join } = require('node:path')
  const home = require('node:os').homedir()

  const installed = [__dirname, join(dirname(process.execPath), '../lib')]
  const n8n = process.env.N8N_BIN ?? require.resolve('n8n/bin/n8n', { paths: installed })
  const { version } = require(join(dirname(n8n), '../package.json'))
  if (version !== ${text(tag)}) throw new Error(
    \`Expected n8n ${tag}, whose settings these are, found \${version}. \`
      + \`Install that one, or make this file anew with --set image.tag=\${version}.\`,
  )

  // Secrets are never in this file: they come from the environment in which pm2 is called.
  const missing = [${secrets.map(text).join(', ')}].filter((name) => process.env[name] === undefined)
  if (missing.length) throw new Error(\`Expected \${missing.join(', ')} in the environment, found none.\`)

  const every = {
    script: n8n,
    cwd: home,
    // PM2 goes on to the next process when this one is ready.
    wait_ready: true,
    listen_timeout: 300000,
    exp_backoff_restart_delay: 1000,
    // n8n ends its task runner itself, when the last execution is done with it.
    treekill: false,
    // As measured: no agent of PM2's inside, and n8n's own reading of source maps.
    pmx: false,
    vizion: false,
    disable_source_map_support: true,
    // ~/.pm2/logs/<name>-out.log and -error.log: one of each, however many processes, with the time.
    merge_logs: true,
    log_date_format: 'YYYY-MM-DDTHH:mm:ss.SSSZ',
  }

  return {
    apps: [
${apps.map(appText).join('\n')}
    ],
  }
}

${preload.trim()}
`
}

/** Variables that the environment of PM2 has to have. */
export const secretVariablesOf = (apps: App[]): string[] => [...new Set(apps.flatMap(({ secrets }) => secrets))].sort()

function appText(app: App): string {
  const { name, args, sharing, nodeArgs, env, secrets, folder, memory, grace } = app
  const variables = [
    ...(folder && sharing === null ? [['N8N_USER_FOLDER', path('/home/node', folder)]] : []),
    ...Object.entries(env)
      .filter(([variable]) => !secrets.includes(variable))
      .map(([variable, value]) => [variable, path(value, folder)]),
    ...secrets.map((variable) => [variable, `process.env.${variable}`]),
  ]
  const lines = [
    '...every',
    `name: ${text(name)}`,
    ...(args.length ? [`args: [${args.map(text).join(', ')}]`] : []),
    ...(sharing === null ? [`exec_mode: 'fork'`] : [`exec_mode: 'cluster'`, `instances: ${sharing}`]),
    `node_args: [${[`'--require', __filename`, ...nodeArgs.map((argument) => path(argument, folder))].join(', ')}]`,
    ...(env.N8N_TUNED_READY ? [] : ['wait_ready: false']),
    ...(memory === null ? [] : [`max_memory_restart: '${memory}M'`]),
    `kill_timeout: ${grace * 1000}`,
  ]
  return `      {
${lines.map((line) => `        ${line},`).join('\n')}
        env: {
${variables.map(([variable, value]) => `          ${variable}: ${value},`).join('\n')}
        },
      },`
}

const oneLine = (words: string) => words.replace(/\s+/g, ' ')

/** As a JavaScript literal, in this project's quotes. */
const text = (value: string) => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The folder beside the ecosystem file that holds the patches. */
export const patchesFolder = 'n8n-tuned-patches'

/**
 * The pod's home becomes the app's folder in the user's home, its /tmp a private folder; patches are beside this file.
 */
function path(value: string, folder: string): string {
  const parts = value.split(new RegExp(`(?<![\\w.-])(${Object.keys(places('')).join('|')})(?=$|[^\\w.-])`))
  if (parts.length === 1) return text(value)
  return `\`${parts.map((part) => places(folder)[part] ?? literal(part)).join('')}\``
}

const places = (folder: string): Record<string, string> => ({
  '/home/node': ['${home}', folder].filter(Boolean).join('/'),
  '/tmp': '${home}/.n8n-tuned/tmp',
  [patchesAt]: `\${__dirname}/${patchesFolder}`,
})
const literal = (part: string) => part.replace(/[\\`]|\$\{/g, '\\$&')
