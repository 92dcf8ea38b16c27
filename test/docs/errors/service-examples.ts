import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Access, Gate, joinGrants } from '#access';
import { readSettings } from '#config';
import { type FastifyRequest, openHttp } from '#http';
import { openLog } from '#observe';
import { askService } from '../../../apps/cli/ask-service';
import { openStore } from '../../../apps/cli/open-store';
import { listenFault } from '../../../apps/server/listen-fault';
import { Service } from '../../../apps/server/service';
import { type Example, refusal } from './example';
import { type LittleService, ProbeModule } from './little-service';

const settings = (flags: readonly string[]) => readSettings(flags, {}).settings;

/** Causes the errors of the start of the service and of the command line. */
export async function serviceExamples(service: LittleService): Promise<Example[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nodeledger-page-'));
  try {
    return await examplesIn(folder, service);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function examplesIn(folder: string, { url }: LittleService): Promise<Example[]> {
  const file = join(folder, 'nodeledger.yaml');
  await writeFile(file, '- port: 9090\n');
  return [
    await refusal('config.refused', 'nodeledger config --prot 80', () => settings(['--prot', '80'])),
    await refusal('config.file', 'nodeledger config --config nodeledger.yaml, with a list in the file', () =>
      settings(['--config', file]),
    ),
    await refusal('config.cleartext', 'npm start -- --host 0.0.0.0', () => settings(['--host', '0.0.0.0'])),
    await refusal('server.port-in-use', 'npm start, while another program has the port', () => portInUse()),
    await refusal('server.port-refused', 'npm start -- --port 80, as an ordinary user', () => {
      throw listenFault(Object.assign(new Error('denied'), { code: 'EACCES' }), settings(['--port', '80']));
    }),
    await refusal('server.no-such-host', 'npm start -- --host 192.0.2.1', () =>
      listenOn({ host: '192.0.2.1', port: 8080 }),
    ),
    await refusal('server.shared-database', 'npm run start:query-api, without DATABASE_URL', () =>
      Service.start(settings([]), openLog({ level: 'silent' }), new AbortController().signal, new Set(['read'])),
    ),
    await refusal('metrics.forbidden', 'GET /metrics without TLS from another machine', () =>
      new Gate({ access: new Access(() => joinGrants(undefined, undefined)) }).check(metricsFrom('192.0.2.7')),
    ),
    await refusal('cli.no-store', 'nodeledger verify, where no service has ever run', () =>
      openStore(settings(['--data-dir', folder]), () => undefined),
    ),
    await refusal('cli.unreachable', 'nodeledger dead-letters list, while no service runs', () =>
      askService('http://127.0.0.1:1', '/nodeledger/v1/dead-letters'),
    ),
    await refusal('cli.refused', 'nodeledger dead-letters show 0-999999', () =>
      askService(url, '/nodeledger/v1/dead-letters/0-999999'),
    ),
  ];
}

const metricsFrom = (remoteAddress: string): FastifyRequest =>
  ({ routeOptions: { url: '/metrics' }, headers: {}, raw: { socket: { remoteAddress } } }) as unknown as FastifyRequest;

async function portInUse(): Promise<void> {
  const first = await openHttp(ProbeModule, { listeners: [{ host: '127.0.0.1', port: 0 }], maxBodyBytes: 1_000 });
  try {
    await listenOn({ host: '127.0.0.1', port: Number(new URL(first.urls[0] ?? '').port) });
  } finally {
    await first.close();
  }
}

/** As the service does it. */
async function listenOn(listener: { readonly host: string; readonly port: number }): Promise<void> {
  const options = { listeners: [listener], maxBodyBytes: 1_000 };
  const server = await openHttp(ProbeModule, options).catch(({ code, message }: NodeJS.ErrnoException) => {
    // Converts it to an Error of the test's realm, because errors of the system belong to another realm here.
    const error = Object.assign(new Error(message), { code });
    throw listenFault(error, { ...settings([]), ...listener, port: 8080 });
  });
  await server.close();
}
