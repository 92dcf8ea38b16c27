/**
 * Ends the process if package.json does not allow its Node.js. The programs import this file first, because an older Node.js
 * may fail while it loads the next one. So this file contains only syntax that Node.js 10 can read.
 */
const { engines } = require('../package.json');

/** `20.19.0` as [20, 19]. The ranges of package.json have no patch level. */
const numbersOf = (version) => version.split('.').map(Number);
const version = process.versions.node;
const [major, minor] = numbersOf(version);

/** `range`: `^20.19.0` or `>=24.11.0`. */
const ranges = engines.node.split(' || ').map((range) => {
  const [, operator, least] = /^(\^|>=)(\d+\.\d+)\.0$/.exec(range);
  const [leastMajor, leastMinor] = numbersOf(least);
  const isBelow = major < leastMajor || (major === leastMajor && minor < leastMinor);
  return { least, isBelow, isAllowed: !isBelow && (operator === '>=' || major === leastMajor) };
});
if (!ranges.some(({ isAllowed }) => isAllowed)) {
  const { least } = ranges.find(({ isBelow }) => isBelow);
  process.stderr.write(`nodeledger needs Node.js ${least} or newer; this is ${version}\n`);
  process.exit(1);
}
