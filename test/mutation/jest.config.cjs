/** Of runs with a mutation: PostgreSQL is running already, and the first failure ends a run. */
const { globalSetup, globalTeardown, ...config } = require('../../jest.config.cjs');

module.exports = {
  ...config,
  cacheDirectory: '<rootDir>/.cache',
  testEnvironment: '<rootDir>/test/mutation/first-failure.cjs',
  testSequencer: '<rootDir>/test/mutation/spec-order.cjs',
};
