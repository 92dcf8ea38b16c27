import { resolve } from 'node:path';
import type { AgeLimits } from '#admin';
import { type Settings, showByteSize } from '#config';
import { type Database, Generations, maxWalBytes } from '#database';
import type { Alerts } from '#observe';
import { projectionVersion } from '#projections';
import { type DiskSpace, diskReserve, diskSpace } from './disk-space';
import { FittingAge } from './fitting-age';

/** Bytes of PostgreSQL's own files and the control tables, without the log. */
const fixedBytes = 64 << 20;
/**
 * The read tables can take this share of the disk, and the earlier versions of their rows can take another share of the
 * same size. The shares are small, because a snapshot builds two more copies of the tables.
 */
const shareOfTables = 1 / 8;

/** The past of the tables may have the same size. */
export const mostTableBytes = (minFree: number | undefined, total: number): number =>
  Math.max(0, total - diskReserve(minFree, total) - maxWalBytes(total) - fixedBytes) * shareOfTables;

interface TableSize {
  readonly tables: number;
  readonly past: number;
  /** In milliseconds. `pastAge` is the age of the earliest moment that queries can ask about. */
  readonly reportAge: number;
  readonly pastAge: number;
}

async function readTableSize(db: Pick<Database, 'query'>): Promise<TableSize | undefined> {
  const live = await new Generations(db as Database).live();
  if (live?.projectionVersion !== projectionVersion) return undefined;
  const age = (table: string, column: string): string =>
    `coalesce((SELECT extract(epoch FROM now() - min(${column}) FILTER (WHERE ${column} > '-infinity')) * 1000 FROM ${live.schema}.${table}), 0)::float8`;
  const [row] = await db.query<TableSize>({
    text: `SELECT coalesce(sum(bytes) FILTER (WHERE NOT is_past), 0)::float8 AS tables,
             coalesce(sum(bytes) FILTER (WHERE is_past), 0)::float8 AS past,
             ${age('reports', 'producer_timestamp')} AS "reportAge", ${age('history_times', 'at')} AS "pastAge"
           FROM (SELECT pg_total_relation_size(oid) AS bytes, relname ~ '_past$|^history_' AS is_past
                 FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r') AS t`,
    values: [live.schema],
  });
  return row;
}

const [reportKey, pastKey] = ['NODELEDGER_REPORT_TTL', 'NODELEDGER_HISTORY'];

/**
 * Reduces age limits if the disk of the embedded PostgreSQL is small. A cleaning then removes reports and the past of
 * the tables earlier, so that the service does not have to refuse commands. Never reduces an age limit that an operator
 * has set.
 */
export class FittedAges {
  readonly limits: AgeLimits;
  private readonly reports = new FittingAge();
  private readonly past = new FittingAge();

  constructor(
    private readonly db: Pick<Database, 'query'>,
    private readonly settings: Readonly<Settings>,
    private readonly alerts: Pick<Alerts, 'raise' | 'clear'>,
    private readonly isDefault: (key: string) => boolean,
  ) {
    const { reports, past } = this;
    this.limits = {
      ...settings,
      get reportTtl() {
        return reports.ageMs ?? settings.reportTtl;
      },
      get history() {
        return past.ageMs ?? settings.history;
      },
    };
  }

  /** Call this method before each cleaning. */
  async fit(): Promise<void> {
    const { databaseUrl, dataDir, minFreeDisk, reportTtl, history } = this.settings;
    if (databaseUrl !== undefined) return;
    const size = await readTableSize(this.db);
    if (size === undefined) return;
    const space = await diskSpace(resolve(dataDir));
    const most = mostTableBytes(minFreeDisk, space.total);
    if (this.isDefault(reportKey)) this.reports.look({ bytes: size.tables, ageMs: size.reportAge }, most, reportTtl);
    if (this.isDefault(pastKey)) this.past.look({ bytes: size.past, ageMs: size.pastAge }, most, history);
    this.updateAlert(space);
  }

  private updateAlert({ total }: DiskSpace): void {
    const { reports, past, alerts, settings } = this;
    const kept = [
      ...shortened('reports are kept', reports.ageMs, settings.reportTtl, reportKey),
      ...shortened('queries can ask for the past', past.ageMs, settings.history, pastKey),
    ];
    if (kept.length === 0) return alerts.clear('storage.shortened');
    alerts.raise('storage.shortened', {
      severity: 'warning',
      message: `The file system of the data has ${showByteSize(total)}, which is too small for the configured ages. ${capital(kept.join(', and '))}.`,
      effect: 'Commands and queries continue. Cleanings remove older data.',
      hint: 'Enlarge the file system, or set shorter ages. docs/sizing.md says how much your fleet needs.',
    });
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function shortened(what: string, ageMs: number | undefined, wantedMs: number, key: string): string[] {
  if (ageMs === undefined) return [];
  return [`${what} for ${showAge(ageMs)} instead of ${showAge(wantedMs)} (${key})`];
}

function showAge(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours >= 48) return `${Math.floor((hours / 24) * 10) / 10} days`;
  return hours >= 2 ? `${Math.floor(hours * 10) / 10} hours` : `${Math.floor(hours * 600) / 10} minutes`;
}
