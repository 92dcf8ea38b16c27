/** The long proofs (`npm run test:chaos`): real processes that are killed; one file at a time, never part of `npm test`. */
module.exports = {
  ...require('../../jest.config.cjs'),
  testMatch: ['<rootDir>/test/chaos/*.chaos.ts'],
  testTimeout: 300_000,
  maxWorkers: 1,
  // Clients whose brokers and databases were killed under them may still be at it when all is proven.
  forceExit: true,
};
