/** Tests with several Kafka brokers (`npm run test:cluster`); one file at a time, not part of `npm test`. */
module.exports = {
  ...require('../../jest.config.cjs'),
  testMatch: ['<rootDir>/test/cluster/*.cluster.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
  // Clients whose brokers were stopped under them may still be at it when all is proven.
  forceExit: true,
};
