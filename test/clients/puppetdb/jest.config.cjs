/** `nodeledger migrate` and archives with a real PuppetDB (`npm run test:puppetdb`); not part of `npm test`. */
module.exports = {
  ...require('../../../jest.config.cjs'),
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/clients/puppetdb/*.site.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
  bail: 1,
};
