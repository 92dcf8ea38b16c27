/** The console in a real browser (`npm run test:browser`). The files share no service, and run one after the other. */
module.exports = {
  ...require('../../jest.config.cjs'),
  testMatch: ['<rootDir>/test/browser/*.browser.ts'],
  testTimeout: 60_000,
  maxWorkers: 1,
};
