import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const load = createRequire(import.meta.url);

/** Reads the options of a measuring script. With wrong arguments or --help, prints the usage and exits. */
export function readArguments(usage, options) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } }, strict: true });
    if (!values.help) return values;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
  process.stdout.write(usage);
  process.exit();
}

/** A module of a built project. */
export function builtPart(dist, part) {
  const path = resolve(dist, part);
  if (!existsSync(path)) throw new Error(`${path} is missing: build the project first`);
  return load(path);
}

/** The functions of a built project that create, submit and await the commands of a fleet. */
export function builtFleet(dist) {
  const parts = ['fleet/index.js', 'submit-fleet/server-link.js', 'submit-fleet/visibility.js'];
  return Object.assign({}, ...parts.map((part) => builtPart(dist, `tools/${part}`)));
}

/** Flags of Node.js with which `npm start` starts the service. */
export const nodeFlags = ['--max-semi-space-size=8'];

export const DEFAULT_DIST = join(import.meta.dirname, '../../../dist');
