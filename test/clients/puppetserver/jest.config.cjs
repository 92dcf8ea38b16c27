/** A real puppetserver with agents against the service (`npm run test:puppetserver`); not part of `npm test`. */
module.exports = {
  ...require('../../../jest.config.cjs'),
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/clients/puppetserver/*.site.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
  bail: 1,
};
