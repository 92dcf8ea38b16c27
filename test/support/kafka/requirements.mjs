/** Checks whether this machine can run the broker: Java, and Maven if the jars are missing. Fast and synchronous. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { jarsHere } from './jars.mjs';

const leastJava = 17;

/** Returns a line that says what is missing and what to do, or undefined if nothing is missing. */
export function whatIsMissing() {
  const java = javaCommand();
  if (java === undefined)
    return `Java is not on the PATH; install Java ${leastJava} or newer (Debian: apt-get install default-jre-headless), or name a running broker in KAFKA_BROKERS`;
  const version = javaVersion(java);
  if (!(version >= leastJava))
    return `Java ${leastJava} or newer is needed, and ${java} is ${version || 'of an unknown version'}; install one or set JAVA_HOME, or name a running broker in KAFKA_BROKERS`;
  if (!jarsHere() && onPath('mvn') === undefined)
    return 'Maven is not on the PATH; install it (Debian: apt-get install maven), it fetches the broker once; or name a running broker in KAFKA_BROKERS';
  return undefined;
}

/** The Java of JAVA_HOME, or of the PATH. */
export function javaCommand() {
  const home = process.env.JAVA_HOME;
  const own = home ? executable(join(home, 'bin', 'java')) : undefined;
  return own ?? onPath('java');
}

/**
 * Reads the version from a file of the installation if there is one, because a start of Java takes a tenth of a second.
 */
function javaVersion(java) {
  let text = '';
  try {
    text = readFileSync(join(dirname(dirname(realpathSync(java))), 'release'), 'utf8');
  } catch {
    text = spawnSync(java, ['-version'], { encoding: 'utf8', timeout: 20_000 }).stderr ?? '';
  }
  // Matches JAVA_VERSION="17.0.15", openjdk version "17.0.15", and "1.8.0_392" for 8.
  const found = /version="?\s*"?(?:1\.)?(\d+)/i.exec(text);
  return found === null ? 0 : Number(found[1]);
}

function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const found = folder === '' ? undefined : executable(join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function executable(file) {
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}
