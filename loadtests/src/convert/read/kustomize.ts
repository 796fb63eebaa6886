import { isMap } from '../../lib/values.ts'
import { dirname, resolve } from 'node:path'
import { withoutKeys } from '../account.ts'
import type { Key } from '../key.ts'
import { valuesFile } from './files.ts'
import { layersAt, type Layer, type Read } from './layer.ts'
import type { WrappedRelease, Wrapping } from './wrapping.ts'
import type { Values } from '../../model/experiment.ts'

const own = 'Kustomize reads it: let helmCharts name this chart and its values.'
const patched =
  'It changes objects of the old chart after Helm has made them. This chart has values for most of that: docs/chart.md.'
const kept = 'It stays in the kustomization: see to it that nothing in it needs the objects of the old release.'
const renamed = 'It renames the objects of the old chart: name its claim in persistence.existingClaim, and its Secrets.'

/** A kustomization.yaml that inflates charts. */
export const kustomize: Wrapping = {
  is: ({ helmCharts }) => Array.isArray(helmCharts),
  releases: (object, { drop }) =>
    (object.values.helmCharts as unknown[]).filter(isMap).map((chart, index): WrappedRelease => {
      const inline = `helmCharts[${index}].valuesInline`
      return {
        chart: String(chart.name ?? ''),
        name: chart.releaseName === undefined ? undefined : String(chart.releaseName),
        layers: () => layersOf(object, chart, index, drop),
        around: {
          name: 'kustomization',
          layer: { values: withoutKeys(object.values, [inline]), place: object.place },
          take,
        },
      }
    }),
}

/** What is written into the kustomization goes before its file, unless `valuesMerge` says otherwise. */
async function layersOf({ file, values, place }: Read, chart: Values, index: number, drop: string[]): Promise<Layer[]> {
  const path = `kustomization.helmCharts[${index}]`
  const read = (named: unknown, at: string) =>
    named === undefined
      ? []
      : valuesFile(resolve(dirname(file), String(named)), { named: String(named), at: `${path}.${at}`, drop })
  const inline = layersAt({ values, place }, ['helmCharts', index, 'valuesInline'], file)
  const own = chart.valuesMerge === 'replace' && inline.length > 0 ? [] : await read(chart.valuesFile, 'valuesFile')
  const more = Array.isArray(chart.additionalValuesFiles) ? chart.additionalValuesFiles : []
  const others = await Promise.all(more.map((named, at) => read(named, `additionalValuesFiles[${at}]`)))
  return [...(chart.valuesMerge === 'merge' ? [...inline, ...own] : [...own, ...inline]), ...others.flat()]
}

function take(key: Key): void {
  const each = (names: string[], why: string) =>
    names.forEach((name) => (key.at(name).isEmpty ? undefined : key.at(name).refuse(why)))
  each(['patches', 'patchesStrategicMerge', 'patchesJson6902', 'replacements', 'transformers', 'replicas'], patched)
  each(['namePrefix', 'nameSuffix'], renamed)
  each(['resources', 'components', 'bases', 'configMapGenerator', 'secretGenerator', 'generators'], kept)
  for (const image of key.at('images').each()) {
    const name = String(image.at('newName').value ?? image.at('name').value)
    if (!/(^|\/)n8n(io)?(\/|$)/.test(String(image.at('name').value))) continue
    if (!image.at('newName').isEmpty) image.set('image.repository', name)
    if (!image.at('newTag').isEmpty) image.set('image.tag', String(image.at('newTag').value))
    if (!image.at('digest').isEmpty) image.set('image.digest', image.at('digest').value)
  }
  key.drop(own)
}
