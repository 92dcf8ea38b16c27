/**
 * The long tests (`npm run test:chaos`) kill real processes. They run one file at a time and are not part of `npm
 * test`.
 */
module.exports = {
  ...require('../../jest.config.cjs'),
  testMatch: ['<rootDir>/test/chaos/*.chaos.ts'],
  testTimeout: 300_000,
  maxWorkers: 1,
  // Clients whose brokers and databases were killed may still be retrying when the tests have ended.
  forceExit: true,
};
