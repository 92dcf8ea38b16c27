/**
 * Ends the process if package.json does not allow the running version of Node.js. Programs load this file first. It
 * must contain only syntax that Node.js 10 supports, because an older Node.js can fail to load the next file.
 */
const { engines } = require('../package.json');

const numbersOf = (version) => version.split('.').map(Number);
const version = process.versions.node;
const [major, minor] = numbersOf(version);

/** The patch level in the ranges of package.json, such as `^20.19.0 || >=24.11.0`, is always 0. */
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
