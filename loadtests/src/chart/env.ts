import type { PodContainer, Variable, VariableSource } from './objects.ts'
import { referred, type Stores } from './stores.ts'

/** A container's environment as its pod would see it; `env` overrides `envFrom`. */
export function envOf(
  { env = [], envFrom = [] }: PodContainer,
  stores: Stores,
  meta: { name: string; namespace: string },
): Record<string, string> {
  return Object.fromEntries([
    ...envFrom.flatMap((source) => sourced(source, stores)),
    ...env.flatMap((entry) => variable(entry, stores, meta)),
  ])
}

/** The variables whose values come from Secrets. */
export function secretsOf({ env = [], envFrom = [] }: PodContainer, stores: Stores): string[] {
  const sources = envFrom
    .filter(({ secretRef }) => secretRef)
    .flatMap((source) => sourced(source, stores).map(([name]) => name))
  return [...sources, ...env.filter(({ valueFrom }) => valueFrom?.secretKeyRef).map(({ name }) => name)]
}

function sourced({ prefix = '', secretRef, configMapRef }: VariableSource, stores: Stores): [string, string][] {
  const content = referred(stores, secretRef ? 'Secret' : 'ConfigMap', (secretRef ?? configMapRef)!, 'environment')
  return Object.entries(content).map(([key, value]) => [prefix + key, value.toString()])
}

function variable(
  { name, value, valueFrom }: Variable,
  stores: Stores,
  meta: { name: string; namespace: string },
): [string, string][] {
  if (!valueFrom) return [[name, String(value ?? '')]]
  if (valueFrom.fieldRef) return [[name, field(valueFrom.fieldRef.fieldPath, meta)]]
  // Of its own container's limits: no process here has a container.
  if (valueFrom.resourceFieldRef) return []
  if (valueFrom.secretKeyRef && stores.secretsElsewhere) return []
  const reference = (valueFrom.secretKeyRef ?? valueFrom.configMapKeyRef)!
  const content = referred(stores, valueFrom.secretKeyRef ? 'Secret' : 'ConfigMap', reference, name)[reference.key]
  return content ? [[name, content.toString()]] : []
}

function field(path: string, { name, namespace }: { name: string; namespace: string }): string {
  const known: Record<string, string> = {
    'metadata.name': name,
    'metadata.namespace': namespace,
    'status.podIP': '127.0.0.1',
  }
  return known[path] ?? ''
}
