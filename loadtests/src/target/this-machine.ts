import { networkInterfaces } from 'node:os'

const own = () => Object.values(networkInterfaces()).flatMap((addresses) => addresses!.map(({ address }) => address))

/** Whether this address belongs to this machine. Private addresses prove nothing, because production has them, too. */
export function isThisMachine(host: string, addresses = own()): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return (
    bare === 'localhost'
    || bare.endsWith('.localhost')
    || /^127\.\d+\.\d+\.\d+$/.test(bare)
    || bare === '::1'
    || addresses.includes(bare)
  )
}
