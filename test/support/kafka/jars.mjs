/** Maven downloads the jars of the broker once into a cache, which is rebuilt when pom.xml changes. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const here = import.meta.dirname;
const pom = join(here, 'pom.xml');
const fetchMs = 10 * 60_000;

/** NODELEDGER_KAFKA_CACHE, or a folder below node_modules. */
function folder() {
  const cache = process.env.NODELEDGER_KAFKA_CACHE || join(here, '../../../node_modules/.cache/nodeledger-kafka');
  return join(cache, createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12));
}

export function jarsHere() {
  return existsSync(join(folder(), 'lib'));
}

/** Returns the folder with the jars. Calls `log` with a line if they have to be downloaded. */
export async function jars(log) {
  const lib = join(folder(), 'lib');
  if (jarsHere()) return lib;
  log(`fetching the broker's jars (about 45 MB, once) into ${lib}`);
  await mkdir(folder(), { recursive: true });
  // Downloads into a temporary folder and renames it, so the final folder is always complete, even with two concurrent
  // downloads.
  const fetched = await mkdtemp(join(folder(), 'fetch-'));
  try {
    await maven(fetched);
    await rename(fetched, lib).catch((error) => {
      if (!jarsHere()) throw error;
    });
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
  return lib;
}

function maven(outputDirectory) {
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${outputDirectory}`];
  const child = spawn('mvn', ['-q', '-B', '-ntp', '-f', pom, ...goal], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: fetchMs,
  });
  let said = '';
  const hear = (chunk) => (said = (said + chunk).slice(-4000));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`Maven does not start: ${error.message}`)));
    child.once('close', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`Maven could not fetch the broker's jars (${signal ?? `exit ${code}`}):\n${said.trim()}`)),
    );
  });
}
