/** Dashboards and exporters against the service (`npm run test:dashboards`); not part of `npm test`. */
module.exports = {
  ...require('../../../jest.config.cjs'),
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/clients/dashboards/*.site.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
};
