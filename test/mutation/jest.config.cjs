/** For runs with a mutation: PostgreSQL is already running, and the first failure ends a run. */
const { globalSetup, globalTeardown, ...config } = require('../../jest.config.cjs');

module.exports = {
  ...config,
  // A run may get little processor time. A run that hangs is ended from outside.
  testTimeout: 120_000,
  cacheDirectory: '<rootDir>/.cache',
  testEnvironment: '<rootDir>/test/mutation/first-failure.cjs',
  testSequencer: '<rootDir>/test/mutation/spec-order.cjs',
};
