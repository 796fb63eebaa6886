import { execa } from 'execa'
import { isAlive } from '../../../lib/processes.ts'
import { v2Readers } from './hierarchies.ts'
import { cgroupBox } from './cgroup.ts'
import type { Limiter } from './limiter.ts'

const unitName = (owner: number, name: string) => `n8n-tuned-${owner}-${name}.scope`

/** For users who may not write control groups: their own systemd writes them. */
export async function systemdLimiter(owner = process.pid): Promise<Limiter | null> {
  const works = await execa(
    'systemd-run',
    ['--user', '--scope', '--quiet', '-p', 'MemoryMax=64M', '-p', 'CPUQuota=100%', 'true'],
    { reject: false, timeout: 5000 },
  )
  if (works.failed) return null
  return {
    kind: 'systemd',
    enforced: true,
    async box(name, limits) {
      const unit = unitName(owner, name)
      const properties = [
        ...(limits.memory === null ? [] : ['-p', `MemoryMax=${Math.floor(limits.memory)}`, '-p', 'MemorySwapMax=0']),
        ...(limits.cpu === null ? [] : ['-p', `CPUQuota=${Math.round(limits.cpu * 100)}%`]),
      ]
      // The name of the group stays over restarts. Asking for it every second would cost more than all other looks.
      let found: string[] = []
      const group = async () => {
        if (found.length) return found
        const { stdout } = await execa('systemctl', ['--user', 'show', '--property=ControlGroup', '--value', unit], {
          reject: false,
        })
        return (found = stdout ? [`/sys/fs/cgroup${stdout}`] : [])
      }
      const reading = async <T>(read: (folders: string[]) => Promise<T>, absent: T) => {
        const folders = await group()
        return folders.length ? read(folders) : absent
      }
      return {
        wrap: (argv) => [
          'systemd-run',
          '--user',
          '--scope',
          '--quiet',
          '--collect',
          `--unit=${unit}`,
          ...properties,
          '--',
          ...argv,
        ],
        pids: () => reading(async (folders) => cgroupBox(v2Readers, folders).pids(), []),
        cpuSeconds: () => reading(v2Readers.cpuSeconds, null),
        throttling: () => reading(v2Readers.throttling, null),
        oomKills: () => reading(v2Readers.oomKills, 0),
        memoryPeak: () => reading(v2Readers.memoryPeak, null),
        remove: () => stop(unit),
      }
    },
    async sweep() {
      const { stdout } = await execa(
        'systemctl',
        ['--user', 'list-units', '--plain', '--no-legend', 'n8n-tuned-*.scope'],
        { reject: false },
      )
      for (const unit of stdout.split('\n').flatMap((line) => line.split(' ')[0] || [])) {
        if (!isAlive(Number(unit.split('-')[2]))) await stop(unit)
      }
    },
    async close() {},
  }
}

async function stop(unit: string): Promise<void> {
  await execa('systemctl', ['--user', 'kill', '--signal=KILL', unit], { reject: false })
  await execa('systemctl', ['--user', 'stop', unit], { reject: false })
}
