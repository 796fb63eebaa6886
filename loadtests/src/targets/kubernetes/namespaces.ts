import { readFileSync, readlinkSync } from 'node:fs'
import type { Api } from './api.ts'
import { wholeNamespaces, partsOf, seen, type NamespaceKind } from './namespace-kinds.ts'
import { readStat, startOf } from '../../lib/processes.ts'

/** Where everything of one plan is: a namespace of its own, or a part of the namespace that the user gave. */
export interface OwnNamespace {
  /** Also the name of the Helm release, and what the label `app.kubernetes.io/instance` says of all that is in it. */
  name: string
  namespace: string
}

/** All that the lab makes in a cluster is in its namespaces, so removing them removes everything. */
export interface OwnNamespaces {
  own(name: string): OwnNamespace
  make(name: string): Promise<void>
  /** Returns once nothing of it is left. */
  remove(name: string): Promise<void>
  /** Removes the namespaces of labs that no longer run. */
  sweep(): Promise<string[]>
  close(): Promise<void>
}

const prefix = 'n8n-tuned/'

export const namespaceKindOf = (api: Api, namespace: string | null): NamespaceKind =>
  namespace === null ? wholeNamespaces(api) : partsOf(api, namespace)

export function namespacesOf(api: Api, namespace: string | null): OwnNamespaces {
  const kind = namespaceKindOf(api, namespace)
  const made = new Set<string>()
  const seenNow = () => ({ [seen]: new Date(api.now()).toISOString() })
  const beat = () =>
    Promise.allSettled(
      [...made].map((name) => api.patch(`${kind.marks}/${name}`, { metadata: { annotations: seenNow() } })),
    )
  const timer = setInterval(() => void beat(), heartbeat)
  timer.unref()

  const own = (name: string): OwnNamespace => ({ name, namespace: kind.namespaceOf(name) })

  async function remove(name: string): Promise<void> {
    await kind.end(name)
    made.delete(name)
  }

  return {
    own,
    async make(name) {
      made.add(name)
      const owner = Object.entries(thisOwner()).map(([key, value]) => [prefix + key, value])
      await kind.begin(name, { ...seenNow(), ...Object.fromEntries(owner) })
    },
    remove,
    async sweep() {
      const found = await kind.all()
      const gone = await Promise.all(found.map(({ annotations }) => isGone(ownerOf(annotations), api.now())))
      const left = found.filter((_, index) => gone[index]).map(({ name }) => name)
      await Promise.all(left.map(remove))
      return left
    },
    async close() {
      await Promise.all([...made].map(remove))
      clearInterval(timer)
    },
  }
}

function ownerOf(annotations: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  )
}

/** The lab that made something in a cluster, noted there, so that others can see later whether that lab still runs. */
interface Owner {
  /** Identifies where process ids are unique: one boot of a machine, and one container on it. Empty without /proc. */
  place: string
  pid: string
  started: string
}

export function thisOwner(): Owner {
  return { place: placeOf(), pid: String(process.pid), started: String(startOf(process.pid)) }
}

function placeOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

/** A running lab renews its mark every minute. */
const heartbeat = 60_000
const silence = 5 * heartbeat

/**
 * A lab counts as gone once it stops renewing its mark. Only one of this machine is known earlier, by its process, and
 * only where the system tells which processes run: macOS does not.
 */
export async function isGone(
  owner: Partial<Owner> & { seen?: string },
  now: number,
  here = thisOwner(),
): Promise<boolean> {
  if (here.place !== '' && owner.place === here.place) {
    const stat = await readStat(Number(owner.pid))
    return stat === null || stat.state === 'Z' || String(stat.started) !== owner.started
  }
  return !(now - Date.parse(owner.seen ?? '') < silence)
}
