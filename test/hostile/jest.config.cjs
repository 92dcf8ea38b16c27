/** `npm run test:hostile`: ten minutes of hostile clients beside one that behaves; never part of `npm test`. */
module.exports = {
  ...require('../../jest.config.cjs'),
  testMatch: ['<rootDir>/test/hostile/*.hostile.ts'],
  maxWorkers: 1,
};
