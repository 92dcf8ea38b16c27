/** For `node --require`: runs the TypeScript of this repository as it stands, as jest does. For programs that tests start. */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const root = join(__dirname, '../..');
/** The file that an import such as `#log` names. */
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
