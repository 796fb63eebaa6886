import { busyIn } from '../../../loadtests/src/lib/processes.ts'

/** user nice system idle iowait irq softirq steal guest */
const stat = 'cpu  900 0 0 100\ncpu0 100 20 30 500 40 5 6 7 0 0\ncpu1 300 0 100 0 0 0 0 0 0 0\nintr 1\n'

test('the time of cores is all but their idle time, in seconds, whatever ran there', () => {
  expect(busyIn(stat, [0])).toBeCloseTo(1.68)
  expect(busyIn(stat, [0, 1])).toBeCloseTo(5.68)
})

test('it is unknown of a core that the system does not name, and of none', () => {
  expect(busyIn(stat, [0, 7])).toBeNull()
  expect(busyIn(stat, [])).toBeNull()
  expect(busyIn('', [0])).toBeNull()
})
