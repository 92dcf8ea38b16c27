import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { errorHeader, excerpt, type FaultCode } from '#fault';
import { Described } from '#openapi';
import * as described from './descriptions/status';
import { jsonType, type Reply } from './reply';
import { type ServiceHealth, ServiceState, type Storage } from './service-state';

/** PuppetDB's names of the store and of the status service. */
const serviceNames = ['puppetdb-status', 'status-service'] as const;
type ServiceName = (typeof serviceNames)[number];
const levels = ['critical', 'info', 'debug'];
const statusVersion = 1;

interface StatusRequest {
  readonly url: string;
}

@Controller('status/v1')
export class StatusController {
  constructor(private readonly service: ServiceState) {}

  @Get('simple')
  @Described(described.simple)
  async simple(@Res() reply: Reply): Promise<void> {
    await sendState(reply, (await this.service.look()).state);
  }

  @Get('simple/:name')
  @Described(described.simpleNamed)
  async simpleNamed(@Param('name') text: string, @Res() reply: Reply): Promise<void> {
    const name = known(text);
    if (name === undefined) {
      await withCode(reply, 404)
        .status(404)
        .header('content-type', plain)
        .send(`not found: ${excerpt(text)}`);
      return;
    }
    await sendState(reply, stateOf(name, await this.service.look()));
  }

  @Get('services')
  @Described(described.services)
  async services(@Req() request: StatusRequest, @Res() reply: Reply): Promise<void> {
    const { level } = parametersOf(request);
    if (!levels.includes(level)) return refuseLevel(reply, level);
    const look = await this.service.look();
    const body = Object.fromEntries(serviceNames.map((name) => [name, this.describe(name, look, level)]));
    await answer(reply, statusOf(look.state), body);
  }

  @Get('services/:name')
  @Described(described.serviceNamed)
  async serviceNamed(@Param('name') text: string, @Req() request: StatusRequest, @Res() reply: Reply): Promise<void> {
    const name = known(text);
    if (name === undefined)
      return refuse(reply, 404, 'service-not-found', `No status information found for service ${excerpt(text)}`);
    const { level, version } = parametersOf(request);
    if (!levels.includes(level)) return refuseLevel(reply, level);
    if (!/^\d+$/.test(version)) {
      const msg = `Invalid service_status_version. Should be an integer but was ${excerpt(version)}`;
      return refuse(reply, 400, 'data-invalid', msg);
    }
    if (Number(version) !== statusVersion) {
      const msg = `No status function with version ${excerpt(version)} found for service ${name}`;
      return refuse(reply, 400, 'service-status-version-not-found', msg);
    }
    const look = await this.service.look();
    await answer(reply, statusOf(stateOf(name, look)), {
      ...this.describe(name, look, level),
      service_name: name,
    });
  }

  private describe(name: ServiceName, look: ServiceHealth, level: string): object {
    return {
      service_version: this.service.reportedVersion,
      service_status_version: statusVersion,
      detail_level: level,
      state: stateOf(name, look),
      status: name === 'status-service' ? {} : storeStatus(look),
      active_alerts: name === 'status-service' ? [] : this.service.alerts(),
    };
  }
}

const plain = 'text/plain;charset=utf-8';

const known = (name: string): ServiceName | undefined => serviceNames.find((one) => one === name);

/** The status service always counts as running, because it answers. */
const stateOf = (name: ServiceName, { state }: ServiceHealth): string =>
  name === 'status-service' ? 'running' : state;

const statusOf = (state: string): number => (state === 'running' ? 200 : 503);

function parametersOf({ url }: StatusRequest): { level: string; version: string } {
  const mark = url.indexOf('?');
  const given = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  return { level: given.get('level') ?? 'info', version: given.get('service_status_version') ?? String(statusVersion) };
}

const refuseLevel = (reply: Reply, level: string): Promise<void> =>
  refuse(reply, 400, 'data-invalid', `Invalid level: :${excerpt(level)}`);

function refuse(reply: Reply, status: number, kind: string, msg: string): Promise<void> {
  return answer(withCode(reply, status), status, { kind, msg });
}

function withCode(reply: Reply, status: number): Reply {
  const code: FaultCode = status === 404 ? 'http.not-found' : 'status.parameter';
  return reply.header(errorHeader, code);
}

async function answer(reply: Reply, status: number, body: object): Promise<void> {
  await reply.status(status).header('content-type', jsonType).send(JSON.stringify(body));
}

async function sendState(reply: Reply, state: string): Promise<void> {
  await reply.status(statusOf(state)).header('content-type', plain).send(state);
}

const storeStatus = (look: ServiceHealth): object => ({
  'maintenance_mode?': look.state === 'starting',
  queue_depth: look.queueDepth,
  'read_db_up?': look.readDatabaseUp,
  'write_db_up?': look.writeDatabaseUp,
  'write_dbs_up?': look.writeDatabaseUp,
  write_db: { default: { 'up?': look.writeDatabaseUp } },
  ...(look.refusesCommands === true ? { 'rejecting_commands?': true } : {}),
  ...(look.storage === undefined ? {} : { storage: storageStatus(look.storage) }),
});

const storageStatus = ({ disk, ...storage }: Storage): object => ({
  log_bytes: storage.logBytes ?? null,
  log_section_bytes: storage.sectionBytes ?? null,
  log_since: storage.logSince === undefined ? null : new Date(storage.logSince).toISOString(),
  log_bytes_per_day: storage.logBytesPerDay ?? null,
  table_bytes: storage.tableBytes,
  past_bytes: storage.pastBytes,
  other_bytes: storage.otherBytes,
  wal_bytes: storage.walBytes ?? null,
  disk:
    disk === undefined
      ? null
      : {
          free_bytes: disk.freeBytes,
          total_bytes: disk.totalBytes,
          reserve_bytes: disk.reserveBytes,
          seconds_until_full: disk.secondsUntilFull ?? null,
        },
});
