import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

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
export async function builtFleet(dist) {
  const parts = ['libs/fleet/index.js', 'apps/cli/fleet/server-link.js', 'apps/cli/fleet/visibility.js'];
  const paths = parts.map((part) => resolve(dist, part));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new Error(`${missing} is missing: build the project first`);
  return Object.assign({}, ...(await Promise.all(paths.map((path) => import(pathToFileURL(path).href)))));
}

export const DEFAULT_DIST = join(import.meta.dirname, '../../../dist');
