/** Tests are ES modules in TypeScript; jest runs with --experimental-vm-modules. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Most of their time the tests wait for processes, so that no core need be left to anybody else.
  maxWorkers: '100%',
  // One that hangs is found soon enough, and a busy machine is no failure.
  testTimeout: 60_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
}
