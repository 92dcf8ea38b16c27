/** The folder of a broker: its properties, the data of its log (formatted once), and its output. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const formatMs = 60_000;

/**
 * Writes the properties, and formats the data folder if it is empty.
 * ports: {port, controllerPort, and for a listener behind a proxy: behindPort (its own), proxyPort (the advertised one)}
 * cluster: {nodeId, voters, replicas, and id if there are several nodes}
 */
export async function preparePlace({ java, lib, dataDir, ports, cluster, sessionMs }) {
  const root = resolve(dataDir);
  const logDir = join(root, 'log');
  const properties = join(root, 'server.properties');
  await mkdir(logDir, { recursive: true });
  await writeFile(properties, await filled(logDir, ports, cluster, sessionMs));
  if (!existsSync(join(logDir, 'meta.properties'))) await format(java, lib, cluster.id ?? ownId(), properties);
  return { root, properties, log: join(root, 'broker.log'), output: join(root, 'broker.out') };
}

async function filled(
  logDir,
  { port, controllerPort, behindPort, proxyPort },
  { nodeId, voters, replicas },
  sessionMs,
) {
  const listeners = [`DIRECT://127.0.0.1:${port}`];
  const advertised = [`DIRECT://127.0.0.1:${port}`];
  if (proxyPort !== undefined) {
    listeners.push(`PROXIED://127.0.0.1:${behindPort}`);
    advertised.push(`PROXIED://127.0.0.1:${proxyPort}`);
  }
  listeners.push(`CONTROLLER://127.0.0.1:${controllerPort}`);
  const lists = { listeners: listeners.join(), advertised: advertised.join() };
  const values = { nodeId, voters, replicas, ...lists, logDir, sessionMs };
  const template = await readFile(join(import.meta.dirname, 'server.properties'), 'utf8');
  return template.replace(/@(\w+)@/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A value that begins with a hyphen would be read as a flag. */
const ownId = () => `k${randomBytes(16).toString('base64url').slice(1)}`;

async function format(java, lib, id, properties) {
  const args = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', join(lib, '*'), 'kafka.tools.StorageTool'];
  args.push('format', '--cluster-id', id, '--config', properties);
  await run(java, args, { timeout: formatMs }).catch((error) => {
    throw new Error(
      `the broker's data folder cannot be formatted: ${error.stdout ?? ''}${error.stderr ?? error.message}`,
    );
  });
}
