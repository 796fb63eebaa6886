import { randomBytes } from 'node:crypto'
import type { Manifest, RunsPods } from './objects.ts'

/** The same keys for every plan of this process, because one plan may have to decrypt what another encrypted. */
const random = new Map<string, string>()
const valueOf = (key: string) => random.get(key) ?? random.set(key, randomBytes(24).toString('hex')).get(key)!

/** The Secrets that the chart's hook generates at its installation (files/generate-secrets.js). */
export function generatedSecrets(manifests: Manifest[]): Manifest[] {
  return manifests
    .filter(({ kind, metadata }) => kind === 'Job' && metadata.annotations?.['helm.sh/hook'])
    .flatMap(({ spec }) => (spec as RunsPods).template.spec.containers)
    .flatMap(({ env = [] }) => {
      const said = Object.fromEntries(env.map(({ name, value }) => [name, String(value ?? '')]))
      if (!said.MANIFEST || !said.KEYS) return []
      const stringData = Object.fromEntries(said.KEYS.split(' ').map((key) => [key, valueOf(key)]))
      return [{ ...(JSON.parse(said.MANIFEST) as Manifest), stringData }]
    })
}
