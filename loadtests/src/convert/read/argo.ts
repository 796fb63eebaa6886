import { isMap, valueAt } from '../../lib/values.ts'
import { join } from 'node:path'
import { usage } from '../../lib/errors.ts'
import { childOf, withoutKeys } from '../account.ts'
import type { Key } from '../key.ts'
import { inRepository, valuesFile } from './files.ts'
import { documentsOf, layersAt, type Keys, type Layer, type Read } from './layer.ts'
import { parameter } from './parameters.ts'
import type { WrappedRelease, Wrapping } from './wrapping.ts'
import type { Values } from '../../model/experiment.ts'

const own = 'Argo CD reads it: let the Application name this chart and its values.'
const others =
  'This source stays with the Application: see to it that nothing in it needs the objects of the old release.'
const fromFile = 'Write what is in that file into the value itself.'

/** An Application of Argo CD: one source or several, values in four places. */
export const argo: Wrapping = {
  is: ({ kind }) => kind === 'Application' || kind === 'ApplicationSet',
  releases(object, { drop }) {
    const { values, file } = object
    const isSet = values.kind === 'ApplicationSet'
    const prefix: Keys = isSet ? ['spec', 'template'] : []
    const application = (isSet ? valueAt(values, 'spec.template') : values) as Values | undefined
    const sources = valueAt(application, 'spec.sources')
    const all: [Keys, unknown][] = Array.isArray(sources)
      ? sources.map((source, index) => [[...prefix, 'spec', 'sources', index], source])
      : [[[...prefix, 'spec', 'source'], valueAt(application, 'spec.source')]]
    const charts = all.filter(
      ([, source]) => isMap(source) && (source.chart !== undefined || source.helm !== undefined),
    )
    return charts.map(([keys, source]): WrappedRelease => {
      const { path, chart, helm } = source as { path?: string; chart?: string; helm?: Values }
      const name = String(values.kind)
      const sourcePath = keys.reduce<string>((outer, key) => childOf(outer, key), name)
      const metadata = String(valueAt(application, 'metadata.name') ?? '')
      return {
        chart:
          chart
          ?? String(path ?? '')
            .split('/')
            .at(-1)!,
        name: String(helm?.releaseName ?? metadata) || undefined,
        layers: () => {
          if (isSet) refuseTemplate(application, file)
          return layersOf(object, keys, source as Values, sourcePath, drop)
        },
        around: {
          name,
          layer: { values: withoutKeys(values, inside(keys)), place: object.place },
          take: (key) => take(key, keys, prefix),
        },
      }
    })
  },
}

/** The values in a source, which are told as values. */
const inside = (keys: Keys) => {
  const source = keys.reduce<string>((outer, key) => childOf(outer, key), '')
  return ['values', 'valuesObject', 'parameters'].map((name) => `${source}.helm.${name}`)
}

/** In the order in which Argo CD merges them. */
async function layersOf(
  { file, place, values }: Read,
  keys: Keys,
  source: Values,
  named: string,
  drop: string[],
): Promise<Layer[]> {
  const helm = (source.helm ?? {}) as Values
  const layers: Layer[] = []
  const folder = typeof source.path === 'string' ? source.path : undefined
  if (folder !== undefined) {
    const own = inRepository(file, join(folder, 'values.yaml'))
    if (own) layers.push(...(await documentsOf(own)))
    else if (inRepository(file, folder) === undefined && Object.keys(helm).length === 0)
      throw usage(
        'bad-source',
        `${named}.path: Expected the folder ${folder} in its repository, found none.`,
        'Convert the values of the chart in that folder instead.',
      )
  }
  const files = Array.isArray(helm.valueFiles) ? helm.valueFiles.map(String) : []
  for (const [index, path] of files.entries()) {
    // Of a chart from a registry, a file without a reference is one of the chart's own.
    if (source.chart !== undefined && path === 'values.yaml') continue
    // `$values/apps/n8n.yaml` begins at the root of the source with that `ref`.
    const inRepo = path.startsWith('$') ? path.slice(path.indexOf('/') + 1) : join(folder ?? '', path)
    const found = inRepository(file, inRepo)
    if (found === undefined && helm.ignoreMissingValueFiles === true) continue
    layers.push(...(await valuesFile(found, { named: path, at: `${named}.helm.valueFiles[${index}]`, drop })))
  }
  for (const name of ['values', 'valuesObject'])
    layers.push(...layersAt({ values, place }, [...keys, 'helm', name], file))
  for (const [index, entry] of (Array.isArray(helm.parameters) ? helm.parameters : []).entries())
    if (isMap(entry))
      layers.push(
        parameter(
          String(entry.name),
          entry.value,
          () => place([...keys, 'helm', 'parameters', index]),
          entry.forceString === true,
        ),
      )
  return layers
}

function take(key: Key, keys: Keys, prefix: Keys): void {
  const spec = [...prefix, 'spec'].reduce<Key>((inner, name) => inner.at(name), key)
  const chosen = keys.reduce<Key>((inner, name) => inner.at(name), key)
  for (const file of chosen.at('helm').at('fileParameters').each()) file.refuse(fromFile)
  for (const source of spec.at('sources').each()) {
    const { path, chart } = (source.value ?? {}) as Values
    if (source.path !== chosen.path && (path !== undefined || chart !== undefined)) source.refuse(others)
  }
  key.drop(own)
}

const template = /\{\{\s*[.\w-]/

/** One Application of a generator is like another, but for what it fills in. */
function refuseTemplate(application: unknown, file: string): void {
  const text = JSON.stringify(valueAt(application, 'spec') ?? {})
  const found = /\{\{[^}]*\}\}/.exec(text)?.[0]
  if (!template.test(text)) return
  throw usage(
    'application-set',
    `${file}: Expected the Application of one n8n, got a template for several: ${found} is filled in by a generator.`,
    'Convert each Application that it makes: argocd app get NAME --output yaml >application.yaml.',
  )
}
