import type { CallFrame } from '../../targets/profile.ts'
import type { Area } from './areas.ts'

/** A frame that belongs to an area: by its package, or by file and function where a package does several things. */
interface Rule {
  area: Area
  packages: RegExp
  file?: RegExp
  function?: RegExp
}

const rules: Rule[] = [
  { area: 'isolates', packages: /^(@n8n\/expression-runtime|isolated-vm)$/ },
  { area: 'expressions', packages: /^(@n8n\/tournament|esprima-next|recast|riot-tmpl)$/ },
  { area: 'expressions', packages: /^n8n-workflow$/, file: /\/(expression|workflow-data-proxy|augment-object)/ },
  { area: 'serialisation', packages: /^(flatted|v8-serialize|structured-clone)$/ },
  {
    area: 'serialisation',
    packages: /^n8n-workflow$/,
    function: /^(deepCopy|jsonParse|jsonStringify|replaceCircularReferences)$/,
  },
  { area: 'database', packages: /^(sqlite3|pg|pg-.+|postgres-.+|@n8n\/typeorm|typeorm|@n8n\/db|mysql2|tarn)$/ },
  { area: 'queue', packages: /^(bull|ioredis|redis-.+|@ioredis\/.+|denque|msgpackr|cluster-key-slot)$/ },
  { area: 'queue', packages: /^n8n$/, file: /\/scaling\// },
  { area: 'runner', packages: /^@n8n\/task-runner$/ },
  { area: 'runner', packages: /^n8n$/, file: /\/task-runners?\// },
  {
    area: 'events',
    packages: new RegExp(
      '^(winston.*|logform|prom-client|@sentry/.+|@opentelemetry/.+|posthog-node|@n8n/syslog-client'
        + '|@rudderstack/.+)$',
    ),
  },
  {
    area: 'events',
    packages: /^(n8n|@n8n\/backend-common)$/,
    file: /\/(eventbus|events|metrics|telemetry|logging|insights|push)\//,
  },
  {
    area: 'http',
    packages: new RegExp(
      '^(express|router|body-parser|raw-body|compression|cookie-parser|finalhandler|send|serve-static|on-headers'
        + '|on-finished|negotiator|accepts|etag|fresh|vary|content-type|helmet|express-.+|qs|ws)$',
    ),
  },
  { area: 'executions', packages: /^(n8n|n8n-core|n8n-workflow|n8n-nodes-.+|@n8n\/n8n-nodes-langchain)$/ },
]

/** The area of a frame by itself; null for frames that only serve their caller, such as those of lodash. */
export function areaOf(frame: CallFrame): Area | null {
  if (frame.functionName === '(garbage collector)') return 'gc'
  if (/^node:internal\/modules\//.test(frame.url)) return 'loading'
  const [, module, file] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(\/.*)$/.exec(frame.url) ?? []
  if (module === undefined) return null
  return (
    rules.find(
      (rule) =>
        rule.packages.test(module)
        && (rule.file?.test(file!) ?? true)
        && (rule.function?.test(frame.functionName) ?? true),
    )?.area ?? null
  )
}

/** For a stack without a package of n8n: HTTP if one of Node's own files for it is on the stack, otherwise Node. */
export const isHttp = ({ url }: CallFrame) =>
  /^node:(_http|http|net|zlib|_stream|internal\/(http|net|stream_base|streams))/.test(url)

/** The thread was idle. */
export const isIdle = ({ functionName }: CallFrame) => functionName === '(idle)'
