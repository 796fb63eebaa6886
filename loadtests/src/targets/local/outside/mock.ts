import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf } from '../../../lib/await.ts'
import { paths } from '../../../lib/paths.ts'
import { freePorts } from '../../../lib/ports.ts'
import { begun, startBeside } from '../beside.ts'
import type { Post } from '../machine.ts'
import { invalid } from '../../../lib/errors.ts'
import type { LocalImage, User } from '../images.ts'
import type { Network } from '../network.ts'
import { proxyVariables } from '../../proxy.ts'
import { asUser, giveTo } from '../volumes.ts'
import { type OutsideCount, type OutsideOrder, besideNames, type Ports } from '../../../model/outside.ts'

/** Answers the calls of n8n's containers. */
interface RunningMock {
  /** The image of a container, changed so that its calls go to the mock. */
  leading(image: LocalImage): LocalImage
  count(): Promise<Pick<OutsideCount, 'calls' | 'cpu'> | null>
  /** Where databases and mail servers listen. */
  ports: Ports
}

/** Where the mock runs. */
export interface MockPlace {
  network?: Network
  /** A folder that its user may write, and n8n may read. */
  folder: string
  user: User | null
}

/** Where a container with its own root finds the certificate. */
const inContainers = '/opt/n8n-tuned-outside'
const certificate = 'authority.pem'
const countPatience = 5000

export async function startMock(
  { rules, allow, record, hints }: OutsideOrder,
  network: Network,
  post: Post,
  { folder, user }: Pick<MockPlace, 'folder' | 'user'>,
): Promise<RunningMock> {
  const [port, ...others] = (await freePorts(1 + besideNames.length)) as [number, ...number[]]
  const ports = Object.fromEntries(besideNames.map((name, index) => [name, others[index]!])) as Ports
  const shown = join(folder, 'authority')
  const order = join(folder, 'outside.json')
  await mkdir(shown)
  // Rules may hold secrets of the user.
  await writeFile(order, JSON.stringify({ rules, record, hints, ports, authority: join(shown, certificate) }), {
    mode: 0o600,
  })
  await giveTo(user, shown)
  if (user) await chown(order, user.uid, user.gid)
  const argv = [process.execPath, '--no-warnings', paths.outside]
  await network.open([port])
  // A recorder writes a file of the user's.
  const within = record === null ? network.enter(asUser(user, argv), folder) : network.join(argv)
  const beside = await startBeside('outside', within, { OUTSIDE: order, PORT: String(port) }, post)
  const ask = (timeout: number) => textOf(`http://${network.address}:${port}/`, timeout)
  await begun(beside, async () => (await ask(1000)) !== null, post, mockFailed)
  return {
    ports,
    leading: (image) => (image.kind === 'n8n' ? led(image, port, shown, allow) : image),
    async count() {
      const told = await ask(countPatience)
      return told === null ? null : (JSON.parse(told) as Pick<OutsideCount, 'calls' | 'cpu'>)
    },
  }
}

function led(image: LocalImage, port: number, folder: string, allow: string[]): LocalImage {
  const ownRoot = image.id !== undefined
  return {
    ...image,
    forced: {
      ...proxyVariables(`http://127.0.0.1:${port}`, allow),
      NODE_EXTRA_CA_CERTS: join(ownRoot ? inContainers : folder, certificate),
    },
    ...(ownRoot && { binds: { ...image.binds, [inContainers]: folder } }),
  }
}

const mockFailed = (log: string[]) =>
  invalid(
    'mock-failed',
    'Expected the mock of external services to start, but it did not.',
    'The last lines of its log say why; --allow-outside calls the real services instead.',
    log,
  )
