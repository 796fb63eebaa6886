// Makes of Kubernetes' OpenAPI, or of custom resource definitions, the JSON Schemas of the kinds
// that the chart renders, strict and without a word of prose.
// usage: node compact.mjs kubernetes swagger.json | resources crd.yaml...   to stdout: kind → schema
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const kinds = new Set([
  'ConfigMap',
  'CronJob',
  'Deployment',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Job',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'Pod',
  'PodDisruptionBudget',
  'Role',
  'RoleBinding',
  'Secret',
  'Service',
  'ServiceAccount',
  'StatefulSet',
])
/** Where a kind is in several, the release that the chart renders. */
const versions = new Set(['v1', 'v2'])
const kept = new Set([
  'type',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
])

function compact(schema) {
  if (schema.$ref) return { $ref: schema.$ref.replace('io.k8s.', '') }
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return { type: ['string', 'integer'] }
  const out = Object.fromEntries(Object.entries(schema).filter(([key]) => kept.has(key)))
  if (out.properties) {
    out.properties = Object.fromEntries(Object.entries(out.properties).map(([name, value]) => [name, compact(value)]))
    if (!schema['x-kubernetes-preserve-unknown-fields']) out.additionalProperties ??= false
  }
  if (out.items) out.items = compact(out.items)
  if (typeof out.additionalProperties === 'object') out.additionalProperties = compact(out.additionalProperties)
  // What these say of properties is said again without them, and would not be strict.
  for (const key of ['anyOf', 'oneOf', 'allOf', 'not']) delete out[key]
  return out
}

/** The API server takes numbers for quantities, whose definition says string. */
const known = {
  'apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
  'apimachinery.pkg.util.intstr.IntOrString': { type: ['string', 'integer'] },
}

function kubernetes(file) {
  const all = JSON.parse(readFileSync(file, 'utf8')).definitions
  const definitions = {}
  const reach = (name) => {
    if (definitions[name]) return
    definitions[name] = known[name] ?? compact(all[`io.k8s.${name}`])
    for (const [, next] of JSON.stringify(definitions[name]).matchAll(/#\/definitions\/([^"]+)/g)) reach(next)
  }
  const roots = {}
  for (const [name, definition] of Object.entries(all)) {
    const group = definition['x-kubernetes-group-version-kind']
    if (group?.length !== 1 || !kinds.has(group[0].kind) || !versions.has(group[0].version)) continue
    if (group[0].group === 'autoscaling' && group[0].version === 'v1') continue
    const short = name.replace('io.k8s.', '')
    reach(short)
    roots[group[0].kind] = short
  }
  return { roots, definitions }
}

function resources(files) {
  const found = files.map((file) => parse(readFileSync(file, 'utf8')).spec)
  const roots = Object.fromEntries(found.map(({ names }) => [names.kind, names.kind]))
  const definitions = Object.fromEntries(
    found.map(({ names, versions }) => {
      const schema = compact(versions.find(({ storage }) => storage).schema.openAPIV3Schema)
      schema.properties.metadata = { type: 'object' }
      return [names.kind, schema]
    }),
  )
  return { roots, definitions }
}

const [what, ...files] = process.argv.slice(2)
console.log(JSON.stringify(what === 'kubernetes' ? kubernetes(files[0]) : resources(files)))
