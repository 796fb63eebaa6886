import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { commandWith } from '../../../support/command.ts'
import { temporaryFolder, write } from '../../../support/temporary.ts'

/**
 * Another user of the machine prepares a place where root’s lab will look. The lab names what it found, and neither
 * reads nor runs nor ends anything by it.
 */

const isRoot = process.getuid?.() === 0
const nobody = 65534
const folder = temporaryFolder()
// As the machine’s folder for temporary files: everybody enters and writes, and only owners remove.
if (isRoot) chmodSync(folder, 0o755)
let cases = 0

interface Place {
  shared: string
  /** What would be there if something planted had been run. */
  mark: string
  /** A process of root’s that something planted would have ended. */
  victim: number
}

const victims: ReturnType<typeof startVictim>[] = []
afterAll(() => victims.forEach(({ kill }) => kill()))

function startVictim() {
  const { stdout } = spawnSync('sh', ['-c', 'setsid sleep 600 >/dev/null 2>&1 & echo $!'], { encoding: 'utf8' })
  const pid = Number(stdout)
  return { pid, kill: () => void (isThere(pid) && process.kill(pid, 'SIGKILL')) }
}

const isThere = (pid: number) => existsSync(`/proc/${pid}`)

function makePlace(): Place {
  const shared = join(folder, `shared-${cases++}`)
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
  const victim = startVictim()
  victims.push(victim)
  return { shared, mark: join(shared, 'was-run'), victim: victim.pid }
}

/** Runs a script as the other user, in the shared folder. */
function asNobody({ shared, mark, victim }: Place, script: string): void {
  const program = `umask 022; printf '#!/bin/sh\\ntouch ${mark}\\n' >evil; chmod 755 evil; ${script}`
  const { status, stderr } = spawnSync('sh', ['-c', program], {
    cwd: shared,
    uid: nobody,
    gid: nobody,
    env: { PATH: process.env.PATH, VICTIM: String(victim), UID0: '0' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}

const profile = await write(
  folder,
  'mine.yaml',
  `name: mine
question: What does it sustain?
workflows: [ping-webhook]
load: { shape: search, step: 10s, precision: 3%, timeout: 10s }
`,
)

const check = (env: Record<string, string>) =>
  commandWith(env, 'check', '--profile', profile, '--rate', '5', '--repeat', '1', '--out', join(folder, `out-${cases}`))

/** Groups, a runtime, a folder of a lab that is gone with a kept volume, a link to it, and a socket. */
const everyFile = [
  'mkdir -p 4100001/seeds/volume',
  'echo "$VICTIM 1" >4100001/groups',
  'echo "$PWD/../evil" >4100001/runtime',
  'ln -s 4100001 4100002',
  'ln -s /etc/passwd 4100003',
  `node -e "require('net').createServer().listen('api').unref()" || true`,
].join(' && ')

const note = '{"owner":4100001,"started":1,"host":"'

describe('as two users', () => {
  if (!isRoot) {
    test.skip('needs root, who can be a second user', () => {})
    return
  }

  test('a scratch folder that another user made, with every file that one had', async () => {
    const place = makePlace()
    asNobody(place, `mkdir n8n-tuned-0 && cd n8n-tuned-0 && ${everyFile}`)
    await isRefused(place, { TMPDIR: place.shared }, join(place.shared, 'n8n-tuned-0'), 'of user 65534')
  }, 60_000)

  test('a link that another user put in its place', async () => {
    const place = makePlace()
    asNobody(place, 'ln -s /root n8n-tuned-0')
    await isRefused(place, { TMPDIR: place.shared }, join(place.shared, 'n8n-tuned-0'), 'of user 65534')
  }, 60_000)

  test('notes of runs in a cache that another user made', async () => {
    const place = makePlace()
    asNobody(place, `mkdir -p cache/runs && echo '${note}' >cache/runs/4100001-1-a`)
    const runs = join(place.shared, 'cache/runs')
    await isRefused(place, { N8N_TUNED_CACHE: join(place.shared, 'cache') }, runs, 'of user 65534')
  }, 60_000)

  test('notes of ours in a cache that another user can exchange', async () => {
    const place = makePlace()
    asNobody(place, 'mkdir cache')
    const cache = join(place.shared, 'cache')
    mkdirSync(join(cache, 'runs'), { mode: 0o700 })
    await isRefused(place, { N8N_TUNED_CACHE: cache }, cache, 'of user 65534')
  }, 60_000)

  test.each([
    ['of another user', (file: string) => chownSync(file, nobody, nobody), 'of user 65534'],
    ['that others may write', (file: string) => chmodSync(file, 0o666), 'open to others'],
  ])(
    'a note %s',
    async (_, change, says) => {
      const place = makePlace()
      const file = makeNote(place)
      change(file)
      await isRefused(place, { N8N_TUNED_CACHE: join(place.shared, 'cache') }, file, says)
    },
    60_000,
  )

  test('a link in place of a note', async () => {
    const place = makePlace()
    makeNote(place)
    const link = join(place.shared, 'cache/runs/4100002-1-b')
    await symlink('/etc/passwd', link)
    await isRefused(place, { N8N_TUNED_CACHE: join(place.shared, 'cache') }, link, 'a link')
  }, 60_000)

  test('a folder for temporary files where everybody may exchange what others made', async () => {
    const place = makePlace()
    chmodSync(place.shared, 0o777)
    await isRefused(place, { TMPDIR: place.shared }, place.shared, 'open to others')
  }, 60_000)

  test('a folder for temporary files below one of another user', async () => {
    const place = makePlace()
    asNobody(place, 'mkdir -p theirs/tmp && chmod 1777 theirs/tmp')
    await isRefused(place, { TMPDIR: join(place.shared, 'theirs/tmp') }, join(place.shared, 'theirs'), 'of user 65534')
  }, 60_000)
})

/** Nothing in a note of root’s own names a program that is run: an unknown one is passed over. */
;(isRoot ? test : test.skip)(
  'a program that a note names is not run',
  async () => {
    const place = makePlace()
    asNobody(place, 'true')
    const evil = join(place.shared, 'evil')
    const file = makeNote(place, `{"containers":"${evil}","label":"n8n-tuned=x"}\n`)
    const { err } = await check({ N8N_TUNED_CACHE: join(place.shared, 'cache'), TMPDIR: join(place.shared, 'gone') })
    expect(err).toContain('TMPDIR')
    expect([existsSync(file), existsSync(place.mark)]).toEqual([false, false])
  },
  60_000,
)

function makeNote({ shared, victim }: Place, more = ''): string {
  const runs = join(shared, 'cache/runs')
  mkdirSync(runs, { recursive: true, mode: 0o700 })
  const file = join(runs, '4100001-1-a')
  const group = `{"group":${victim},"started":1}\n`
  const owner = '{"owner":4100001,"started":1,"host":"elsewhere","boot":"then","room":"there"}\n'
  writeFileSync(file, owner.replace('elsewhere', hostOf()) + group + more, { mode: 0o600 })
  return file
}

const hostOf = () => spawnSync('hostname', { encoding: 'utf8' }).stdout.trim()

async function isRefused(place: Place, env: Record<string, string>, path: string, says: string): Promise<void> {
  const { exit, err } = await check(env)
  const said = err.split('\n').find((line) => line.startsWith('Expected'))
  expect(said).toContain(`${path}`)
  expect(said).toContain(says)
  expect(err).toContain('Fix: ')
  expect(exit).toBe(2)
  expect([existsSync(place.mark), isThere(place.victim)]).toEqual([false, true])
  // Nothing was put there, either.
  expect(readdirSync(place.shared).filter((name) => /^n8n-tuned-\w{6}$/.test(name))).toEqual([])
}
