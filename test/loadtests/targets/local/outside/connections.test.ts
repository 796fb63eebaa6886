import { connectionsAway, farRows } from '../../../../../loadtests/src/targets/local/outside/connections.ts'

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const row = (remote: string, state: string, inode = 77) =>
  `   0: 0100007F:1A2B ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 `
  + `0000000000000000 20 4 30 10 -1\n`

test('connections to other machines are told from those to this one and from ports that listen', () => {
  const table = head + row('057100CB:01BB', '01') + row('0100007F:1538', '01') + row('00000000:0000', '0A')
  expect(farRows(table)).toEqual([{ remote: '203.0.113.5:443', inode: '77' }])
})

test('so are those by IPv6, also of IPv4 within it', () => {
  const table =
    head
    + row('B80D0120000000000000000005000000:01BB', '01')
    + row('0000000000000000FFFF0000057100CB:1538', '02')
    + row('0000000000000000FFFF00000100007F:1538', '01')
    + row('00000000000000000000000001000000:1538', '01')
  expect(farRows(table).map(({ remote }) => remote)).toEqual(['[2001:db8:0:0:0:0:0:5]:443', '203.0.113.5:5432'])
})

test('of a process that has none there are none', () => {
  expect(connectionsAway([process.pid])).toEqual([])
})
