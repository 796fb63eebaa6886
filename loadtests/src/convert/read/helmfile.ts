import { isMap, valueAt } from '../../lib/values.ts'
import { dirname, resolve } from 'node:path'
import { usage } from '../../lib/errors.ts'
import { childOf, withoutKeys } from '../account.ts'
import { valuesFile } from './files.ts'
import { layersAt, type Keys, type Layer, type Read } from './layer.ts'
import { parameter } from './parameters.ts'
import type { WrappedRelease, Wrapping } from './wrapping.ts'
import type { Values } from '../../model/experiment.ts'

const helmfiles = 'Helmfile reads it: let the release name this chart and its values.'
const encrypted =
  'Its values are encrypted: give them decrypted, as a values file behind this one. Secrets among them are not printed.'
const patched =
  'It changes objects of the old chart after Helm has made them. This chart has values for most of that: docs/chart.md.'

/** A helmfile.yaml, with a release for each chart. */
export const helmfile: Wrapping = {
  is: ({ kind, releases }) =>
    kind === undefined && Array.isArray(releases) && releases.some((release) => isMap(release) && 'chart' in release),
  releases: (object, { drop }) =>
    (object.values.releases as Values[]).map((release, index): WrappedRelease => {
      const keys = ['releases', index]
      return {
        chart: String(release.chart ?? ''),
        name: release.name === undefined ? undefined : String(release.name),
        layers: async () => {
          refuseTemplate(object, release)
          return (await Promise.all(parts(object, release, keys).map((part) => layersOf(object, part, drop)))).flat()
        },
        around: {
          name: 'helmfile',
          layer: { values: withoutKeys(object.values, inline(object, release, keys)), place: object.place },
          take: (key) => {
            const mine = key.at('releases').at(index)
            for (const file of mine.at('secrets').each()) file.refuse(encrypted)
            for (const name of ['jsonPatches', 'strategicMergePatches', 'transformers'])
              if (!mine.at(name).isEmpty) mine.at(name).refuse(patched)
            key.drop(helmfiles)
          },
        },
      }
    }),
}

/** Where values of the release are: in the templates that it inherits, and in the release itself. */
function parts(object: Read, release: Values, keys: Keys): { of: Values; keys: Keys }[] {
  const inherited = [release.inherit ?? []].flat().flatMap((entry) => {
    const name = String(valueAt(entry, 'template') ?? '')
    const of = valueAt(object.values, `templates.${name}`)
    return isMap(of) ? [{ of, keys: ['templates', name] }] : []
  })
  return [...inherited, { of: release, keys }]
}

const listOf = (of: Values, name: string): unknown[] => (Array.isArray(of[name]) ? of[name] : [])

/** The values that are written into the file, which are told as values. */
const inline = (object: Read, release: Values, own: Keys): string[] =>
  parts(object, release, own).flatMap(({ of, keys }) =>
    ['values', 'set', 'setString'].flatMap((list) =>
      listOf(of, list).flatMap((entry, index) =>
        isMap(entry) ? [`${keys.reduce<string>(childOf, '')}.${list}[${index}]`] : [],
      ),
    ),
  )

async function layersOf(
  { file, values, place }: Read,
  { of, keys }: { of: Values; keys: Keys },
  drop: string[],
): Promise<Layer[]> {
  const layers: Layer[] = []
  for (const [index, entry] of listOf(of, 'values').entries()) {
    if (isMap(entry)) layers.push(...layersAt({ values, place }, [...keys, 'values', index], file))
    else {
      const named = String(entry)
      const found = resolve(dirname(file), named)
      layers.push(
        ...(await valuesFile(found, {
          named,
          at: `${keys.reduce<string>(childOf, 'helmfile')}.values[${index}]`,
          drop,
        })),
      )
    }
  }
  for (const list of ['set', 'setString'])
    for (const [index, entry] of listOf(of, list).entries())
      if (isMap(entry) && (entry.value ?? entry.values) !== undefined)
        layers.push(
          parameter(
            String(entry.name),
            entry.value ?? entry.values,
            () => place([...keys, list, index]),
            list === 'setString',
          ),
        )
  return layers
}

function refuseTemplate({ file }: Read, release: Values): void {
  const found = /\{\{[^}]*\}\}/.exec(JSON.stringify(release))?.[0]
  if (found === undefined) return
  throw usage(
    'bad-source',
    `${file}: Expected the release ${String(release.name)} without templates, got ${found}, which Helmfile fills in.`,
    'Convert what this prints: helmfile write-values --output-file-template n8n.yaml.',
  )
}
