import { execa } from 'execa'
import {
  availableCores,
  confine,
  coresFor,
  divideCores,
  onCores,
  parseList,
} from '../../../../loadtests/src/targets/local/cores.ts'

describe('cores', () => {
  test('are divided: the generator has the first, n8n all others', () => {
    expect(divideCores([0, 1, 2, 3])).toEqual({ generator: [0], target: [1, 2, 3] })
    expect(divideCores([2, 5])).toEqual({ generator: [2], target: [5] })
  })

  test('of n8n are kept from what it stores in', () => {
    const cores = divideCores([0, 1, 2])
    expect((['n8n', 'store'] as const).map((kind) => coresFor({ kind }, cores))).toEqual([[1, 2], [1, 2], [0]])
  })

  test('are shared where there is one', () => {
    expect(divideCores([3])).toEqual({ generator: [3], target: [3] })
  })

  test.each([
    ['0', [0]],
    ['0-3', [0, 1, 2, 3]],
    ['0,2-4,7', [0, 2, 3, 4, 7]],
  ])('are listed as %j', (list, cores) => {
    expect(parseList(list)).toEqual(cores)
  })

  test('that this process may use are known', async () => {
    const cores = await availableCores()
    expect(cores.length).toBeGreaterThan(0)
    expect(new Set(cores).size).toBe(cores.length)
  })

  test('confine this process too, and what it starts; which it had before is still known', async () => {
    const available = await availableCores()
    await confine([available[0]!])
    try {
      const { stdout } = await execa('grep', ['Cpus_allowed_list', '/proc/self/status'])
      expect(stdout).toMatch(new RegExp(`:\\s+${available[0]}$`))
      expect(await availableCores()).toEqual(available)
    } finally {
      await confine(available)
    }
  })

  test('confine the command that is put on them', async () => {
    const [core] = (await availableCores()) as [number]
    const [command, ...args] = onCores([core], ['sh', '-c', 'grep Cpus_allowed_list /proc/self/status'])
    const { stdout } = await execa(command!, args)
    expect(stdout).toMatch(new RegExp(`:\\s+${core}$`))
  })
})
