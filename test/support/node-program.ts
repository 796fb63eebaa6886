/** Small programs for containers and boxes to run, each in one line. */
const node = (script: string, ...flags: string[]): string[] => [process.execPath, ...flags, '-e', script]

const MIB = 2 ** 20

export const programs = {
  /** Prints a line and waits until it is ended. */
  waits: (word = 'waiting') => node(`console.log('${word}'); setInterval(() => {}, 1000)`),
  /** Ends well when asked. */
  endsWhenAsked: node(
    "process.on('SIGTERM', () => { console.log('goodbye'); process.exit(0) }); setInterval(() => {}, 1000); "
      + "console.log('waiting')",
  ),
  /** Gets the signal to end, and goes on. */
  staysWhenAsked: node(
    "process.on('SIGTERM', () => console.log('no')); setInterval(() => {}, 1000); console.log('waiting')",
  ),
  ends: (code: number, word = 'bye') => ['sh', '-c', `echo ${word}; exit ${code}`],
  /** Ends, and leaves a child behind that holds its output open. */
  leavesAChild: ['sh', '-c', 'sleep 600 & echo left; exit 3'],
  /** A child in a session of its own, which no signal to the group reaches. */
  hasARunaway: node(
    "require('child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }); "
      + "console.log('waiting'); setInterval(() => {}, 1000)",
  ),
  /** Uses all the CPU it gets. */
  computes: node('for (;;);'),
  /** Allocates this much outside the heap, and keeps it. */
  holds: (mebibytes: number) =>
    node(`const held = Buffer.alloc(${mebibytes * MIB}, 1); console.log('holding'); setInterval(() => held, 1000)`),
  /** Fills a heap that is far smaller than any limit. */
  fillsItsHeap: node(
    'const held = []; for (;;) held.push(new Array(10_000).fill(held.length))',
    '--max-old-space-size=24',
  ),
}
