/**
 * What DESIGN says of the lab's folders: imports point down, values and types alike, and nothing imports itself by any
 * way. `make lint` holds it.
 */

const src = 'loadtests/src'
const folder = (...names) => `^${src}/(${names.join('|')})/`

/** From the top to the bottom: a folder imports from those below it. */
const middle = ['workload', 'targets', 'judge', 'fault', 'report', 'chart', 'convert', 'secret']
const levels = [['cli'], ['run'], middle, ['n8n', 'load'], ['model'], ['lib']]

/** The files of these folders that others import; the rest is their own. */
const doors = { targets: ['open', 'means', 'target'], workload: ['open', 'folder', 'apart'] }
/** These import nothing from each other. */
const strangers = ['fault', 'targets']

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'A file that imports itself, by whatever way, cannot be read alone.',
      severity: 'error',
      from: { path: `^${src}` },
      to: { circular: true },
    },
    ...levels.slice(1).map((names, index) => ({
      name: `${names.length === 1 ? names[0] : 'middle'}-is-below`,
      comment: `${names.join(', ')} may not import from what stands above: ${levels
        .slice(0, index + 1)
        .flat()
        .join(', ')}.`,
      severity: 'error',
      from: { path: folder(...names) },
      to: { path: folder(...levels.slice(0, index + 1).flat()) },
    })),
    ...Object.entries(doors).map(([name, files]) => ({
      name: `${name}-by-its-doors`,
      comment: `From ${name}/ others import ${files.map((file) => `${file}.ts`).join(', ')} alone.`,
      severity: 'error',
      from: { pathNot: folder(name) },
      to: { path: folder(name), pathNot: `^${src}/${name}/(${files.join('|')})\\.ts$` },
    })),
    ...strangers.map((name) => ({
      name: `${name}-by-itself`,
      comment: `${strangers.join(' and ')} do not import from each other: both know model/fault.ts and n8n/running.ts.`,
      severity: 'error',
      from: { path: folder(name) },
      to: { path: folder(...strangers.filter((other) => other !== name)) },
    })),
    {
      name: 'verbs-when-called',
      comment: 'Reading all verbs takes seconds on a busy machine: each is imported when it is called.',
      severity: 'error',
      from: { path: `^${src}/(main|program)\\.ts$` },
      to: { path: folder('cli'), pathNot: `^${src}/cli/(explain|interrupt)\\.ts$`, dynamic: false },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    includeOnly: `^${src}`,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'loadtests/tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.cjs'] },
  },
}
