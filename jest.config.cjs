/** Jest runs TypeScript through SWC (types are checked by `npm run typecheck`). */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{apps,libs,test,tools,migrations}/**/*.spec.ts'],
  transform: {
    '^.+\\.ts$': '<rootDir>/test/support/transform.cjs',
  },
  moduleNameMapper: { '^#fleet$': '<rootDir>/tools/fleet/index.ts', '^#(.+)$': '<rootDir>/libs/$1/index.ts' },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testTimeout: 60_000,
  maxWorkers: 2,
};
