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

/** The fleet library of a built project. */
export async function builtFleet(dist) {
  const path = resolve(dist, 'libs/fleet/index.js');
  if (!existsSync(path)) throw new Error(`${path} is missing: build the project first`);
  return import(pathToFileURL(path).href);
}

export const DEFAULT_DIST = join(import.meta.dirname, '../../../dist');
