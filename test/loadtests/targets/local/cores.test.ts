import { execa } from 'execa'
import {
  availableCores,
  confine,
  coresForImage,
  divideCores,
  onCores,
  parseList,
} from '../../../../loadtests/src/targets/local/cores.ts'

describe('cores', () => {
  const cores = (count: number) => Array.from({ length: count }, (_, core) => core)

  test.each([
    [2, { generator: [0], postgresql: [0], redis: [0], beside: [0], target: [1] }],
    [3, { generator: [0], postgresql: [0], redis: [0], beside: [0], target: [1, 2] }],
    [4, { generator: [0], postgresql: [1], redis: [1], beside: [1], target: [2, 3] }],
    [6, { generator: [0], postgresql: [1], redis: [1], beside: [2], target: [3, 4, 5] }],
    [8, { generator: [0], postgresql: [1], beside: [2], redis: [3], target: [4, 5, 6, 7] }],
    [16, { generator: [0, 4, 6, 7], postgresql: [1, 5], beside: [2], redis: [3], target: cores(16).slice(8) }],
  ])(
    'of %d: n8n has half of them at least, and each other program its own as soon as there are enough',
    (count, all) => {
      expect(divideCores(cores(count))).toEqual(all)
    },
  )

  test('are those that the lab may use', () => {
    expect(divideCores([2, 5])).toMatchObject({ generator: [2], target: [5] })
  })

  test('are shared where there is one', () => {
    expect(divideCores([3])).toEqual({ generator: [3], target: [3], postgresql: [3], redis: [3], beside: [3] })
  })

  test('are those of the program that a container runs', () => {
    const of = (kind: 'n8n' | 'postgresql' | 'redis') => coresForImage({ kind }, divideCores(cores(8)))
    expect([of('n8n'), of('postgresql'), of('redis')]).toEqual([[4, 5, 6, 7], [1], [3]])
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
