import { isMap, valueAt } from '../../lib/values.ts'
import { locationText, usage } from '../../lib/errors.ts'
import { withoutKeys } from '../account.ts'
import { interpolate } from '../compose/interpolate.ts'
import type { Key } from '../key.ts'
import { layersAt, type Layer, type Read } from './layer.ts'
import { parameter } from './parameters.ts'
import type { BesideObject, WrappedRelease, Wrapping } from './wrapping.ts'
import type { Values } from '../../model/experiment.ts'

const own = 'Flux reads it: let the HelmRelease name this chart and its values.'
const renderer =
  'It changes objects of the old chart after Helm has made them. This chart has values for most of that: docs/chart.md.'
const values = ['spec.values', 'spec.valuesContent', 'spec.set']

/** A HelmRelease of Flux. */
export const flux: Wrapping = {
  is: ({ kind }) => kind === 'HelmRelease',
  releases: (object, beside) => {
    const { releaseName, targetNamespace } = (valueAt(object.values, 'spec') ?? {}) as Values
    const { name } = named(object)
    return [
      {
        chart: String(
          valueAt(object.values, 'spec.chart.spec.chart') ?? valueAt(object.values, 'spec.chartRef.name') ?? '',
        ),
        name: String(releaseName ?? [targetNamespace, name].filter(Boolean).join('-')),
        layers: async () => [
          ...references(object).flatMap((_, index) => fromReference(object, index, beside)),
          ...layersAt(filledIn(object, beside), ['spec', 'values'], object.file),
        ],
        around: around(object, (key) => {
          for (const reference of key.at('spec').at('valuesFrom').each()) takeReference(reference, beside)
          key.at('spec').at('postRenderers').refuse(renderer)
        }),
      },
    ]
  },
}

/** A HelmChart of k3s and RKE2. */
export const k3s: Wrapping = {
  is: ({ kind, apiVersion }) => kind === 'HelmChart' && String(apiVersion).startsWith('helm.cattle.io'),
  releases: (object) => {
    const set = Object.entries((valueAt(object.values, 'spec.set') ?? {}) as Values)
    return [
      {
        chart: String(valueAt(object.values, 'spec.chart') ?? ''),
        name: named(object).name,
        layers: async () => [
          ...layersAt(object, ['spec', 'valuesContent'], object.file),
          ...layersAt(object, ['spec', 'values'], object.file),
          ...set.map(([path, value]) => parameter(path, value, () => object.place(['spec', 'set', path]))),
        ],
        around: around(object, (key) => {
          for (const secret of key.at('spec').at('valuesSecrets').each())
            secret.refuse(unread('Secret', secret.at('name').value))
        }),
      },
    ]
  },
}

const named = ({ values }: Read) => ({ name: String(valueAt(values, 'metadata.name') ?? '') })

const around = (object: Read, decide: (key: Key) => void): WrappedRelease['around'] => ({
  name: String(object.values.kind),
  layer: { values: withoutKeys(object.values, values), place: object.place },
  take: (key) => {
    decide(key)
    key.drop(own)
  },
})

function references({ values, file, place }: Read): Values[] {
  const given = valueAt(values, 'spec.valuesFrom') ?? []
  if (!Array.isArray(given) || !given.every(isMap))
    throw usage(
      'bad-source',
      `${locationText(place(['spec', 'valuesFrom']) ?? { file, line: null })}: Expected spec.valuesFrom to be a list `
        + 'of references, each with its kind and name, got something else.',
      'Correct it; Flux refuses it too.',
    )
  return given
}

const unread = (kind: unknown, name: unknown) => {
  const print = `kubectl get ${String(kind).toLowerCase()} ${String(name)} --output yaml`
  return `No file here contains it. Give it behind this one; this prints it: ${print}.`
}

/** What a ConfigMap or Secret among the given files has under that key. */
function found({ kind, name }: Values, { objects }: BesideObject): Read | undefined {
  return objects.find(({ values }) => values.kind === kind && valueAt(values, 'metadata.name') === name)
}

function fromReference(object: Read, index: number, beside: BesideObject): Layer[] {
  const reference = references(object)[index]!
  const { kind, name, valuesKey = 'values.yaml', targetPath } = reference
  const place = () => object.place(['spec', 'valuesFrom', index])
  const key = String(valuesKey)
  if (typeof targetPath === 'string' && kind === 'Secret')
    return [parameter(targetPath, { valueFrom: { secretKeyRef: { name, key } } }, place)]
  const source = found(reference, beside)
  if (!source) return []
  const encoded = valueAt(source.values, 'data') as Values | undefined
  const text =
    (valueAt(source.values, 'stringData') as Values | undefined)?.[key]
    ?? (kind === 'Secret' && typeof encoded?.[key] === 'string'
      ? Buffer.from(encoded[key], 'base64').toString()
      : encoded?.[key])
  if (typeof targetPath === 'string') return text === undefined ? [] : [parameter(targetPath, text, place)]
  const within = {
    values: { data: { [key]: text } },
    place: () => source.place(['data', key]) ?? source.place(['stringData', key]),
  }
  return layersAt(within, ['data', key], source.file)
}

function takeReference(reference: Key, beside: BesideObject): void {
  const { kind, name, targetPath } = (reference.value ?? {}) as Values
  const isRead = (typeof targetPath === 'string' && kind === 'Secret') || found(reference.value as Values, beside)
  if (!isRead) reference.refuse(unread(kind, name))
}

/** With the variables that a Kustomization of Flux fills in (`postBuild`). */
function filledIn(object: Read, { env }: BesideObject): Layer {
  const missing = new Set<string>()
  const filled = interpolate(object.values, env, (name) => missing.add(name)) as Values
  if (missing.size > 0 && JSON.stringify(valueAt(object.values, 'spec.values') ?? {}).includes('${'))
    throw usage(
      'bad-source',
      `${object.file}: Expected a value for ${[...missing].join(', ')}, which Flux fills in, found none.`,
      'Write them into a file, a line for each, NAME=text, and give it with --env.',
    )
  return { values: filled, place: object.place }
}
