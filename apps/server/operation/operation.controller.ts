import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { SettingOrigin } from '#config';
import { Fault } from '#fault';
import { type FastifyReply, jsonType } from '#http';
import type { DiskFigures, Storage } from '#observe';
import { Described } from '#openapi';
import * as described from './descriptions';
import { Operation, type OperationReport } from './operation-report';

export const ORIGINS = Symbol('SettingOrigins');

@Controller('nodeledger/v1')
export class OperationController {
  constructor(
    private readonly operation: Operation,
    @Inject(ORIGINS) private readonly origins: readonly SettingOrigin[],
  ) {}

  @Get('operation')
  @Described(described.operation)
  async report(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const report = await this.operation.read();
    if (report === undefined)
      throw new Fault('busy', 'query.database-busy', 'The database or the log does not answer at the moment.');
    void reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' });
    return reportJson(report);
  }

  @Get('settings')
  @Described(described.settings)
  settings(@Res({ passthrough: true }) reply: FastifyReply): object {
    void reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' });
    return {
      settings: this.origins.map(({ entry, shown, from }) => ({
        name: entry.key,
        value: shown,
        from,
        meaning: entry.meaning,
      })),
    };
  }
}

const reportJson = (report: OperationReport): object => ({
  at: report.at,
  log: { id: report.log, stored_in: report.body, lag: report.lag, last_snapshot: report.lastSnapshot },
  partitions: report.partitions.map(({ partition, base, tail, end, applied, lag }) => ({
    partition,
    history_from: tail,
    snapshot_from: base,
    end,
    applied,
    lag,
  })),
  generations: report.generations.map(({ generation, state, projectionVersion, createdAt, lag }) => ({
    generation,
    state,
    version: projectionVersion,
    created: createdAt,
    lag,
  })),
  work: report.work,
  dead_letters: report.deadLetters,
  state: report.health.state,
  components: report.health.components,
  storage: storageJson(report.health.storage),
  health: report.alerts.map(({ code, severity, message, effect, hint, since }) => ({
    check: code,
    level: severity,
    says: message,
    effect: effect ?? null,
    remedy: hint ?? null,
    since,
  })),
});

const storageJson = (storage: Storage | undefined): object | null =>
  storage === undefined
    ? null
    : {
        log_bytes: storage.logBytes ?? null,
        log_bytes_per_day: storage.logBytesPerDay ?? null,
        table_bytes: storage.tableBytes,
        other_bytes: storage.otherBytes,
        wal_bytes: storage.walBytes ?? null,
        disk: diskJson(storage.disk),
      };

const diskJson = (disk: DiskFigures | undefined): object | null =>
  disk === undefined
    ? null
    : {
        free_bytes: disk.freeBytes,
        total_bytes: disk.totalBytes,
        reserve_bytes: disk.reserveBytes,
        seconds_until_full: disk.secondsUntilFull ?? null,
      };
