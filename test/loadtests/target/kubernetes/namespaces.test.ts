import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Api } from '../../../../loadtests/src/target/kubernetes/api.ts'
import { namespacesOf } from '../../../../loadtests/src/target/kubernetes/namespaces.ts'
import { isGone, thisOwner } from '../../../../loadtests/src/target/kubernetes/owner.ts'
import { programs } from '../../../support/node-program.ts'

/** A cluster of namespaces and nothing else. */
function cluster(existing: any[] = []) {
  const there = new Map(existing.map((namespace) => [namespace.metadata.name, namespace]))
  const nameIn = (path: string) => path.split('/')[4]!
  const api = {
    get: async () => ({ items: [...there.values()] }),
    find: async (path: string) => (path.endsWith('/pods') ? { items: [] } : there.get(nameIn(path))),
    create: async (_: string, object: any) => void there.set(object.metadata.name, object),
    patch: async () => {},
    remove: async (path: string) => void there.delete(nameIn(path)),
  } as unknown as Api
  return { namespaces: namespacesOf(api), names: () => [...there.keys()] }
}

/** As a lab leaves it that was killed. */
async function abandoned(name: string): Promise<any> {
  const child = spawn(programs.ends(0)[0]!, programs.ends(0).slice(1))
  const exited = once(child, 'exit')
  const annotations = {
    'n8n-tuned/place': thisOwner().place,
    'n8n-tuned/pid': String(child.pid),
    'n8n-tuned/started': '1',
    'n8n-tuned/seen': new Date().toISOString(),
  }
  await exited
  return { metadata: { name, annotations } }
}

test('what a lab made is gone when it closes', async () => {
  const { namespaces, names } = cluster()
  await namespaces.make('n8n-tuned-1')
  await namespaces.make('n8n-tuned-1-0')
  expect(names()).toEqual(['n8n-tuned-1', 'n8n-tuned-1-0'])
  await namespaces.close()
  expect(names()).toEqual([])
})

test('what a killed lab left is swept; what a living one made stays', async () => {
  const { namespaces, names } = cluster([await abandoned('n8n-tuned-old')])
  await namespaces.make('n8n-tuned-1')
  expect(await namespaces.sweep()).toEqual(['n8n-tuned-old'])
  expect(names()).toEqual(['n8n-tuned-1'])
  await namespaces.close()
})

describe('a lab is gone', () => {
  const now = Date.parse('2026-11-20T09:00:00Z')

  test('when its process of this machine is, or another has its number', async () => {
    const me = thisOwner()
    expect(await isGone(me, now)).toBe(false)
    expect(await isGone({ ...me, started: '1' }, now)).toBe(true)
  })

  test('when one of another machine has been silent for some minutes', async () => {
    const other = { ...thisOwner(), place: 'elsewhere' }
    expect(await isGone({ ...other, seen: '2026-11-20T08:58:00Z' }, now)).toBe(false)
    expect(await isGone({ ...other, seen: '2026-11-20T08:50:00Z' }, now)).toBe(true)
    expect(await isGone(other, now)).toBe(true)
  })
})
