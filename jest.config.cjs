const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const swc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));

/** Jest runs TypeScript through SWC (types are checked by `npm run typecheck`). */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{apps,libs,test,migrations}/**/*.spec.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { ...swc, sourceMaps: 'inline' }],
  },
  moduleNameMapper: { '^#(.+)$': '<rootDir>/libs/$1/index.ts' },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testTimeout: 60_000,
  maxWorkers: 2,
};
