/** Checks the files of `deploy` with the linters of their formats (`npm run test:deploy`); not part of `npm test`. */
module.exports = {
  ...require('../../jest.config.cjs'),
  rootDir: '../..',
  testMatch: ['<rootDir>/test/deploy/*.lint.ts'],
  testTimeout: 60_000,
  maxWorkers: 1,
};
