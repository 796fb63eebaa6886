import { execFileSync } from 'node:child_process'
import { findRuntime } from '../../../loadtests/src/targets/local/containers/runtime.ts'

/** Docker or Podman of this machine; null where there is none. */
export const runtime = await findRuntime().catch(() => null)

/** Describes what containers do, where this machine has them; the name of what is skipped says why. */
export function describeContainers(what: string, tests: () => void): void {
  if (runtime) describe(`${what}, by ${runtime.program}`, tests)
  else describe.skip(`${what} (not tested: this machine has neither Docker nor Podman)`, tests)
}

/** Names of all containers that a lab's process has left. */
export function containersOf(lab: number): string[] {
  const names = execFileSync(runtime!.program, ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' })
  return names.split('\n').filter((name) => name.startsWith(`n8n-tuned-${lab}-`))
}
