/**
 * What DESIGN says of the lab's folders: imports point down, values and types alike, and nothing imports itself by any
 * way. `make lint` holds it.
 */

const src = 'loadtests/src'
const folder = (...names) => `^${src}/(${names.join('|')})/`

/** From the top to the bottom: a folder imports from those below it. */
const middle = ['workload', 'targets', 'judge', 'fault', 'report', 'chart', 'convert', 'secret']
const levels = [['cli'], ['run'], middle, ['n8n', 'load'], ['model'], ['lib']]

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
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    includeOnly: `^${src}`,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'loadtests/tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.cjs'] },
  },
}
