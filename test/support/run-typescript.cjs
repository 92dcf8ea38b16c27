/**
 * For `node --require`: runs the TypeScript sources of this repository, as jest does. For programs that tests start.
 */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const root = join(__dirname, '../..');
/** Returns the file of an import such as `#log`. */
const indexOf = (name) => join(root, name === 'fleet' ? 'tools' : 'libs', name, 'index.ts');
const options = {
  ...JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8')),
  swcrc: false,
  sourceMaps: 'inline',
};

require.extensions['.ts'] = (module, filename) => {
  module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
};
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  return resolve.call(this, request.startsWith('#') ? indexOf(request.slice(1)) : request, ...rest);
};
