import { isMap } from '../../lib/values.ts'
import { usage } from '../../lib/errors.ts'
import { argo } from './argo.ts'
import { flux, k3s } from './flux.ts'
import { helmfile } from './helmfile.ts'
import { kustomize } from './kustomize.ts'
import { documentsOf, layersAt, merged, type Layer, type Read } from './layer.ts'
import type { Around, BesideObject, WrappedRelease, Wrapping } from './wrapping.ts'

/** The objects that values of a chart may be in. */
const wrappings: Wrapping[] = [argo, flux, k3s, helmfile, kustomize]

/** What was read of their files: values of their chart, and what else the object around them says. */
export interface GivenValues extends Layer {
  /** The name of the release, if the object says it. */
  release?: string
  around?: Around
}

/** The values in files of theirs: plain ones, which Helm merges, or an object of a tool that deploys a chart. */
export async function readGivenValues(
  files: string[],
  { env, drop, release }: Omit<BesideObject, 'objects'> & { release?: string },
): Promise<GivenValues> {
  const objects = (await Promise.all(files.map(documentsOf))).flat().flatMap(itemsOf)
  const releases = objects.flatMap((object) =>
    wrappings
      .filter((wrapping) => wrapping.is(object.values))
      .flatMap((found) => found.releases(object, { objects, env, drop })),
  )
  const first = objects[0] ?? { values: {}, place: () => null }
  if (releases.length === 0) return ofChart(merged(plain(objects, files)), files[0]!)
  const chosen = theOne(releases, release, files[0]!)
  // Plain values behind the object go before its own, as further files do in Helm.
  const behind = objects.filter(({ values }) => values.kind === undefined && !wrappings.some(({ is }) => is(values)))
  const inside = ofChart(merged([...(await chosen.layers()), ...behind]), (first as Read).file)
  return { ...inside, around: chosen.around, ...(chosen.name === undefined ? {} : { release: chosen.name }) }
}

/** What kubectl prints of several objects is a list of them. */
function itemsOf(object: Read): Read[] {
  const { kind, items } = object.values
  if (kind !== 'List' || !Array.isArray(items)) return [object]
  return items.filter(isMap).map((values, index) => ({
    ...object,
    values,
    place: (keys) => object.place(['items', index, ...keys]),
  }))
}

function plain(objects: Read[], files: string[]): Layer[] {
  const other = objects.find(({ values }) => typeof values.kind === 'string' && typeof values.apiVersion === 'string')
  if (other)
    throw usage(
      'bad-source',
      `${other.file}: Expected values, or an object that has them, got a ${String(other.values.kind)}.`,
      'Give an Application, HelmRelease, HelmChart, helmfile, or kustomization with helmCharts, or the values alone.',
    )
  if (objects.length > files.length)
    throw usage(
      'bad-source',
      `${objects[0]!.file}: Expected one document with values, got several.`,
      'Write each into a file of its own. A later file goes before an earlier one.',
    )
  return objects
}

/** Of several releases the one of n8n, or the one that the user names. */
function theOne(releases: WrappedRelease[], name: string | undefined, file: string): WrappedRelease {
  const ofN8n = releases.filter(({ chart }) => /n8n[^/]*$/i.test(chart))
  const named = releases.filter((release) => release.name === name)
  const [chosen, ...more] = named.length === 1 ? named : releases.length === 1 ? releases : ofN8n
  if (chosen && more.length === 0) return chosen
  const names = (ofN8n.length > 0 ? ofN8n : releases).map((release) => release.name ?? release.chart)
  throw usage(
    'which-release',
    `${file}: Expected one release of n8n’s chart, got ${names.join(', ')}.`,
    'Name the one to convert with --release.',
  )
}

/** A chart that has n8n’s as a dependency names the values for it by its name. */
function ofChart(layer: Layer, file: string): Layer {
  const { values } = layer
  const others = Object.keys(values).filter((key) => key !== 'n8n' && !/^(_|x-)|^(global|namespace)$/.test(key))
  const inside = values.n8n
  if (others.length > 0 || !isMap(inside) || 'encryption_key' in inside) return layer
  return layersAt(layer, ['n8n'], file)[0]!
}
