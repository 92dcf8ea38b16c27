import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const load = createRequire(import.meta.url);

/** The options of a measuring script. A script that is called wrongly, or with --help, prints its usage and ends. */
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

/** What a built project has to make, submit and await a fleet's commands. */
export function builtFleet(dist) {
  const parts = ['libs/fleet/index.js', 'apps/cli/fleet/server-link.js', 'apps/cli/fleet/visibility.js'];
  const paths = parts.map((part) => resolve(dist, part));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new Error(`${missing} is missing: build the project first`);
  return Object.assign({}, ...paths.map((path) => load(path)));
}

export const DEFAULT_DIST = join(import.meta.dirname, '../../../dist');
