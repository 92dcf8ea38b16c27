/** Whether this machine can run the broker: Java, and Maven where the jars are not here yet. Cheap, synchronous. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { jarsHere } from './jars.mjs';

const leastJava = 17;

/** What is missing and what to do, as one line; undefined if nothing is. */
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

/** The Java of JAVA_HOME, else the PATH's. */
export function javaCommand() {
  const home = process.env.JAVA_HOME;
  const own = home ? executable(join(home, 'bin', 'java')) : undefined;
  return own ?? onPath('java');
}

/** Read from the installation's own file where it has one: a start of Java costs a tenth of a second. */
function javaVersion(java) {
  let text = '';
  try {
    text = readFileSync(join(dirname(dirname(realpathSync(java))), 'release'), 'utf8');
  } catch {
    text = spawnSync(java, ['-version'], { encoding: 'utf8', timeout: 20_000 }).stderr ?? '';
  }
  // JAVA_VERSION="17.0.15", openjdk version "17.0.15", and "1.8.0_392" for 8.
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
