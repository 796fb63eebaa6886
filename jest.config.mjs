import { availableParallelism } from 'node:os'

/** Tests are ES modules in TypeScript; jest runs with --experimental-vm-modules. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // A third of their time and more, tests wait for processes: there is one more of them at once than cores.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // Long enough for a busy machine, and short enough to find a test that hangs.
  testTimeout: 120_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/support/transform.mjs' },
}
