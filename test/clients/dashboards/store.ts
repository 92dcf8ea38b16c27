/** Runs the service for dashboards: HTTPS, roles for certificates and tokens, and the commands of the site. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Authority, type Issued } from '../../support/certificates';
import { freePorts } from '../../support/free-ports';
import { type RunningService, startService, temporaryDataDir } from '../../e2e/service';
import { runVerb } from '../../e2e/verb';
import { siteCommands } from './site-commands';
import { submitAll } from './submit';

export interface Store {
  readonly service: RunningService;
  /** Directory for files of the clients. */
  readonly folder: string;
  readonly tlsPort: number;
  /** The path of the certificate of the authority. */
  readonly ca: string;
  /** The certificate may query and read metrics, and nothing else. */
  readonly certificate: Issued;
  /** The token may do the same. */
  readonly token: string;
  stop(): Promise<void>;
}

export async function startStore(): Promise<Store> {
  const folder = await temporaryDataDir();
  const authority = Authority.make('Dashboards');
  const own = authority.issue('localhost');
  const certificate = authority.issue('board.test');
  const ca = join(folder, 'ca.pem');
  const roles = join(folder, 'roles.yaml');
  await writeFile(ca, authority.certificate);
  await writeFile(roles, 'certificates:\n  - name: board.test\n    roles: [query, metrics]\n');
  const [tlsPort = 0] = await freePorts(1);
  const service = await startService({
    dataDir: folder,
    env: {
      NODELEDGER_DIALECT: 'puppetdb',
      NODELEDGER_EDITION: 'open',
      NODELEDGER_AUTHORIZATION: roles,
      NODELEDGER_GC_INTERVAL: '0',
      // Queries leave out nodes that were deactivated longer ago than this. The times of the site are fixed.
      NODELEDGER_NODE_PURGE_TTL: '20000d',
      NODELEDGER_TLS_HOST: '127.0.0.1',
      NODELEDGER_TLS_PORT: String(tlsPort),
      NODELEDGER_TLS_CERT: own.cert,
      NODELEDGER_TLS_KEY: own.key,
      NODELEDGER_TLS_CA: ca,
    },
  });
  const stop = async (): Promise<void> => {
    await service.stop();
    authority.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const token = await newToken(folder, 'board', ['query', 'metrics']);
    await submitAll(service.url, siteCommands(), await newToken(folder, 'site', ['submit']));
    return { service, folder, tlsPort, ca, certificate, token, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function newToken(dataDir: string, name: string, roles: readonly string[]): Promise<string> {
  const flags = roles.flatMap((role) => ['--role', role]);
  const { code, stdout, stderr } = await runVerb(['token', 'create', name, ...flags, '--data-dir', dataDir], dataDir);
  if (code !== 0) throw new Error(`token create ended with ${code}: ${stderr}`);
  return (JSON.parse(stdout) as { token: string }).token;
}
