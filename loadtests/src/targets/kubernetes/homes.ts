import type { Api } from './api.ts'
import { ownNamespaces, partsOf, seen, type Ground } from './grounds.ts'
import { heartbeat, isGone, thisOwner } from './owner.ts'

/** Where everything of one plan is: a namespace of its own, or a part of the namespace that the user gave. */
export interface Home {
  /** Also the name of the Helm release, and what the label `app.kubernetes.io/instance` says of all that is in it. */
  name: string
  namespace: string
}

/** All that the lab makes in a cluster is in its homes, so removing them removes everything. */
export interface Homes {
  home(name: string): Home
  make(name: string): Promise<void>
  /** Returns once nothing of it is left. */
  remove(name: string): Promise<void>
  /** Removes the homes of labs that no longer run. */
  sweep(): Promise<string[]>
  close(): Promise<void>
}

const prefix = 'n8n-tuned/'

export const groundOf = (api: Api, namespace: string | null): Ground =>
  namespace === null ? ownNamespaces(api) : partsOf(api, namespace)

export function homesOf(api: Api, namespace: string | null): Homes {
  const ground = groundOf(api, namespace)
  const made = new Set<string>()
  const seenNow = () => ({ [seen]: new Date(api.now()).toISOString() })
  const beat = () =>
    Promise.allSettled(
      [...made].map((name) => api.patch(`${ground.marks}/${name}`, { metadata: { annotations: seenNow() } })),
    )
  const timer = setInterval(() => void beat(), heartbeat)
  timer.unref()

  const home = (name: string): Home => ({ name, namespace: ground.namespaceOf(name) })

  async function remove(name: string): Promise<void> {
    await ground.end(name)
    made.delete(name)
  }

  return {
    home,
    async make(name) {
      made.add(name)
      const owner = Object.entries(thisOwner()).map(([key, value]) => [prefix + key, value])
      await ground.begin(name, { ...seenNow(), ...Object.fromEntries(owner) })
    },
    remove,
    async sweep() {
      const found = await ground.all()
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
