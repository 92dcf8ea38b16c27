/** Tests with several Kafka brokers (`npm run test:cluster`); one file at a time, not part of `npm test`. */
module.exports = {
  ...require('../../jest.config.cjs'),
  testMatch: ['<rootDir>/test/cluster/*.cluster.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
  // Clients whose brokers were stopped may still be retrying when the tests have ended.
  forceExit: true,
};
