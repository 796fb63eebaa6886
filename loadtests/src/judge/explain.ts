import type { DearFunction, ExplainedByArea, ExplainedProcess } from '../model/explanation.ts'
import type { CallFrame, ProcessProfile } from '../n8n/running.ts'

const dearest = 10

/** What a process spent its CPU time on, by V8's looks at its main thread. */
export function explainProcess(process: string, { elapsed, counted, cpu }: ProcessProfile): ExplainedProcess {
  const frames = new Map(cpu.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const looks = new Map<string, { frame: CallFrame; count: number }>()
  let idle = 0
  for (const id of cpu.samples) {
    const frame = frames.get(id)
    if (!frame) continue
    if (frame.functionName === '(idle)') {
      idle++
      continue
    }
    const key = `${frame.functionName} ${frame.url}:${frame.lineNumber}`
    const found = looks.get(key) ?? { frame, count: 0 }
    found.count++
    looks.set(key, found)
  }
  const busy = cpu.samples.length - idle
  const functions = [...looks.values()]
    .toSorted((a, b) => b.count - a.count)
    .slice(0, dearest)
    .map(({ frame, count }): DearFunction => ({
      name: frame.functionName || '(anonymous)',
      where: whereOf(frame),
      share: count / busy,
    }))
  return { process, elapsed, cpu: counted, idle: cpu.samples.length ? idle / cpu.samples.length : 1, functions }
}

/** The file below the innermost node_modules, where packages are, with its line. V8 counts lines from 0. */
function whereOf({ url, lineNumber }: CallFrame): string {
  if (url === '') return ''
  const path = url
    .split('/node_modules/')
    .at(-1)!
    .replace(/^file:\/\//, '')
  return `${path}:${lineNumber + 1}`
}

/** Records of earlier releases have areas in place of functions. */
export const withFunctions = (process: ExplainedProcess | ExplainedByArea): ExplainedProcess =>
  isCurrent(process)
    ? process
    : {
        process: process.process,
        elapsed: process.elapsed,
        cpu: process.cpu,
        idle: process.idle,
        functions: process.shares.map(({ what, share }) => ({ name: what, where: '', share })),
      }

const isCurrent = (process: ExplainedProcess | ExplainedByArea): process is ExplainedProcess => 'functions' in process
