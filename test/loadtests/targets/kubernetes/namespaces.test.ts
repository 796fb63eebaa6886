import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Api } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import { namespacesOf, thisOwner } from '../../../../loadtests/src/targets/kubernetes/namespaces.ts'
import { labelsIn } from '../../../../loadtests/src/targets/kubernetes/objects.ts'
import { programs } from '../../../support/node-program.ts'

const now = Date.parse('2026-11-20T09:00:00Z')

/** A cluster of objects by their paths, which answers like the API server, label selectors included. */
function cluster(existing: Record<string, any> = {}) {
  const there = new Map(Object.entries(existing))
  const matches = (object: any, labels: Record<string, string>) =>
    Object.entries(labels).every(([key, value]) => object.metadata?.labels?.[key] === value)
  const api = {
    now: () => now,
    list: async (asked: string, labels: Record<string, string> = {}) => {
      const inIt = (path: string) => path.slice(0, path.lastIndexOf('/')) === asked
      return [...there].filter(([path, object]) => inIt(path) && matches(object, labels)).map(([, object]) => object)
    },
    find: async (path: string) => there.get(path),
    create: async (path: string, object: any) => {
      there.set(`${path}/${object.metadata.name}`, object)
      if (object.kind === 'Namespace') there.set(`${path}/${object.metadata.name}/serviceaccounts/default`, {})
    },
    patch: async () => {},
    remove: async (path: string) => {
      for (const one of [...there.keys()]) if (one === path || one.startsWith(`${path}/`)) there.delete(one)
    },
  } as unknown as Api
  return { api, there: () => [...there.keys()] }
}

/** The mark of a lab that was killed. */
async function abandoned(name: string, labels: Record<string, string>): Promise<any> {
  const child = spawn(programs.ends(0)[0]!, programs.ends(0).slice(1))
  const exited = once(child, 'exit')
  const annotations = {
    'n8n-tuned/place': thisOwner().place,
    'n8n-tuned/pid': String(child.pid),
    'n8n-tuned/started': '1',
    'n8n-tuned/seen': new Date(now).toISOString(),
  }
  await exited
  return { metadata: { name, labels, annotations } }
}

const mine = { 'app.kubernetes.io/managed-by': 'n8n-tuned-lab' }

describe('namespaces of the lab’s own', () => {
  test('are gone when it closes', async () => {
    const { api, there } = cluster()
    const namespaces = namespacesOf(api, null)
    await namespaces.make('n8n-tuned-1')
    await namespaces.make('n8n-tuned-1-0')
    expect(there()).toContain('/api/v1/namespaces/n8n-tuned-1-0')
    await namespaces.close()
    expect(there()).toEqual([])
  })

  test('are swept where a killed lab left them; those of a living one stay', async () => {
    const { api, there } = cluster({ '/api/v1/namespaces/n8n-tuned-old': await abandoned('n8n-tuned-old', mine) })
    const namespaces = namespacesOf(api, null)
    await namespaces.make('n8n-tuned-1')
    expect(await namespaces.sweep()).toEqual(['n8n-tuned-old'])
    expect(there()).toContain('/api/v1/namespaces/n8n-tuned-1')
    await namespaces.close()
  })
})

describe('a namespace that was given', () => {
  const inIt = '/api/v1/namespaces/team'
  const object = (name: string, labels: Record<string, string>) => ({ metadata: { name, labels } })
  /** What the team itself has there: a release of the chart, and things of other programs. */
  const teams = {
    '/apis/apps/v1/namespaces/team/deployments/flows-main': object('flows-main', {
      'app.kubernetes.io/instance': 'flows',
    }),
    [`${inIt}/secrets/sh.helm.release.v1.flows.v1`]: object('sh.helm.release.v1.flows.v1', {
      owner: 'helm',
      name: 'flows',
    }),
    [`${inIt}/configmaps/other`]: object('other', {}),
  }
  /** What a plan leaves: the chart's objects, Helm's record, and the lab's own. */
  const left = (name: string) => ({
    [`/apis/apps/v1/namespaces/team/deployments/${name}-main`]: object(`${name}-main`, labelsIn(name)),
    [`${inIt}/persistentvolumeclaims/data-${name}-redis-0`]: object(`data-${name}-redis-0`, labelsIn(name)),
    [`${inIt}/secrets/sh.helm.release.v1.${name}.v1`]: object(`sh.helm.release.v1.${name}.v1`, { owner: 'helm', name }),
    [`${inIt}/configmaps/${name}-scenarios`]: object(`${name}-scenarios`, labelsIn(name)),
  })

  test('is as it was when the lab closes', async () => {
    const { api, there } = cluster({ ...teams, ...left('n8n-tuned-1-0') })
    const namespaces = namespacesOf(api, 'team')
    await namespaces.make('n8n-tuned-1-0')
    expect(namespaces.own('n8n-tuned-1-0').namespace).toBe('team')
    expect(there()).toContain('/api/v1/namespaces/team/configmaps/n8n-tuned-1-0')
    await namespaces.close()
    expect(there()).toEqual(Object.keys(teams))
  })

  test('keeps what a living lab has there, and loses what a killed one left', async () => {
    const { api, there } = cluster({
      ...left('n8n-tuned-old'),
      [`${inIt}/configmaps/n8n-tuned-old`]: await abandoned('n8n-tuned-old', { ...mine, 'n8n-tuned/home': 'true' }),
      ...left('n8n-tuned-1'),
    })
    const namespaces = namespacesOf(api, 'team')
    await namespaces.make('n8n-tuned-1')
    expect(await namespaces.sweep()).toEqual(['n8n-tuned-old'])
    expect(there()).toEqual([...Object.keys(left('n8n-tuned-1')), `${inIt}/configmaps/n8n-tuned-1`])
    await namespaces.close()
  })

  test('loses what Helm installed after the mark of its killed lab was removed, once that was long ago', async () => {
    const installed = (name: string, minutes: number) => {
      const record = `sh.helm.release.v1.${name}.v1`
      const creationTimestamp = new Date(now - minutes * 60_000).toISOString()
      const labels = { owner: 'helm', name, 'n8n-tuned/home': 'true' }
      return { ...left(name), [`${inIt}/secrets/${record}`]: { metadata: { name: record, labels, creationTimestamp } } }
    }
    const { api, there } = cluster({ ...installed('n8n-tuned-old-0', 10), ...installed('n8n-tuned-new-0', 1) })
    const namespaces = namespacesOf(api, 'team')
    expect(await namespaces.sweep()).toEqual(['n8n-tuned-old-0'])
    expect(there()).toEqual(Object.keys(left('n8n-tuned-new-0')))
    await namespaces.close()
  })
})
