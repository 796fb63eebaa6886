import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { root } from '../support/command.ts'

/** What others could change, or take, after it was read. */

const read = (file: string) => readFileSync(join(root, file), 'utf8')

test.each(['action.yml', 'docs/upgrade-gate.yml', ...globSync('.github/workflows/*.yml', { cwd: root })])(
  '%s names every action by its commit',
  (file) => {
    const used = [...read(file).matchAll(/uses: (\S+)/g)].map(([, name]) => name!)
    expect(used.filter((name) => !name.startsWith('./') && !/@[0-9a-f]{40}$/.test(name))).toEqual([])
  },
)

const workflowFiles = ['docs/upgrade-gate.yml', ...globSync('.github/workflows/*.yml', { cwd: root })]

test.each(workflowFiles)('%s leaves no credentials in a checkout', (file) => {
  const checkouts = read(file).match(/uses: actions\/checkout@/g)?.length ?? 0
  expect(checkouts).toBeGreaterThan(0)
  expect(read(file).match(/uses: actions\/checkout@.*\n +with:\n +persist-credentials: false\n/g)).toHaveLength(
    checkouts,
  )
})

test.each(workflowFiles)('%s gives no password as an argument', (file) => {
  expect(read(file)).not.toMatch(/--(password|token)[ =]/)
})

test('the gate’s example names no account that somebody could register', () => {
  const names = [...read('docs/upgrade-gate.yml').matchAll(/uses: ([^/\s]+)\//g)].map(([, owner]) => owner!)
  // An account's name has no underscore, but for those of an enterprise, whose last part is short.
  expect(names.filter((owner) => owner !== 'actions' && !/_\w{9,}$/.test(owner))).toEqual([])
})

interface PodSpec {
  securityContext?: { runAsNonRoot?: boolean; seccompProfile?: { type: string } }
  containers: { securityContext?: { allowPrivilegeEscalation?: boolean; capabilities?: { drop: string[] } } }[]
}

const podsIn = (object: unknown): PodSpec[] => {
  if (object === null || typeof object !== 'object') return []
  const own = 'containers' in object ? [object as PodSpec] : []
  return [...own, ...Object.values(object).flatMap(podsIn)]
}

test('pods of the docs pass Pod Security "restricted"', () => {
  const blocks = globSync('docs/*.md', { cwd: root }).flatMap((page) =>
    [...read(page).matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!),
  )
  const whole = blocks.filter((text) => /^kind: /m.test(text))
  const pods = whole.flatMap((text) => parseAllDocuments(text).flatMap((document) => podsIn(document.toJS())))
  expect(pods.length).toBeGreaterThan(0)
  for (const { securityContext, containers } of pods) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    for (const container of containers)
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
  }
  expect(parse(read('action.yml'))).toBeTruthy()
})
