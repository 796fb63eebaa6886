/** Tests are ES modules in TypeScript; jest runs with --experimental-vm-modules. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Tests mostly wait for processes, so they can use all cores. More at once, and those that time answers fail.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // Long enough for a busy machine, and short enough to find a test that hangs.
  testTimeout: 120_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/support/transform.mjs' },
}
