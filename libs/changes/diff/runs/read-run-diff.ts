import { excerpt, Fault } from '#fault';
import type { Limits } from '#limits';
import {
  bind,
  bindPlanIndependent,
  type Fragment,
  key64,
  readParameters,
  refusedParameter,
  sql,
  table,
  timestamp,
} from '#query';
import type { RowReader } from '../../reading/change-tables';
import { type DiffFormat, readDiffFormat } from '../diff-request';
import { type Difference, readParts } from '../read-diff';
import { jsonObject } from '../show-change';
import { runParts } from './run-parts';

interface RunDiffRequest {
  readonly certname: string;
  /** Hash of the later report. Default: the last report of the node that an agent sent. */
  readonly report?: string | undefined;
  /** Hash of the earlier report. Default: the last report that an agent sent for the node before the later report. */
  readonly before?: string | undefined;
  readonly format: DiffFormat;
}

/** Throws `query.parameter` or `http.limit`. */
export function readRunDiffRequest(url: string, limits: Limits): RunDiffRequest {
  const parameters = readParameters(url, ['certname', 'report', 'before', 'format'], limits);
  const certname = parameters.text('certname') ?? '';
  if (certname === '') throw refusedParameter('certname is missing: the node whose runs are compared.');
  const hash = (name: string): string | undefined => {
    const text = parameters.text(name);
    if (text !== undefined && !/^[0-9a-f]{40}$/.test(text))
      throw refusedParameter(`${name} is the hash of a report, not '${excerpt(text)}'.`);
    return text;
  };
  return { certname, report: hash('report'), before: hash('before'), format: readDiffFormat(parameters) };
}

interface FoundRun {
  readonly key: string;
  readonly hash: string;
  readonly end: string;
  readonly produced: string;
}

/** Throws `query.record` if a report does not exist, and the faults of `readParts`. */
export async function readRunDiff(request: RunDiffRequest, reader: RowReader): Promise<Difference> {
  const { certname, report, before } = request;
  const find = async (condition: Fragment, missing: string): Promise<FoundRun> => {
    const row = await reader.text(runSql(certname, condition));
    if (row === undefined) throw new Fault('missing', 'query.record', missing);
    return JSON.parse(row) as FoundRun;
  };
  const ofHash = (hash: string): Fragment => sql`r.hash = ${bind(hash, 'text')}`;
  const node = `node ${excerpt(certname)}`;
  const later =
    report === undefined
      ? await find(sql`r.type = 'agent'`, `No run of ${node} is stored`)
      : await find(ofHash(report), `No report ${report} of ${node} is stored`);
  const earlier =
    before === undefined
      ? await find(
          sql`r.type = 'agent' AND r.producer_timestamp < ${bind(later.produced, 'timestamptz')}`,
          `No run of ${node} before ${later.end} is stored`,
        )
      : await find(ofHash(before), `No report ${before} of ${node} is stored`);
  const runOf = ({ key }: FoundRun) => ({ report: bindPlanIndependent(key, 'uuid') });
  const nameOf = ({ hash, end }: FoundRun) => ({
    json: jsonObject({ certname, report: hash, end_time: end }),
    text: `${certname} run that ended at ${end}`,
  });
  return {
    a: nameOf(earlier),
    b: nameOf(later),
    parts: await readParts(runParts, runOf(earlier), runOf(later), reader),
  };
}

const runSql = (certname: string, condition: Fragment): Fragment =>
  sql`SELECT json_build_object('key', r.report, 'hash', r.hash, 'end', ${timestamp(sql`r.end_time`).shown()},
      'produced', r.producer_timestamp::text)::text AS row
    FROM ${table('reports')} r WHERE r.node = ${bindPlanIndependent(key64(certname), 'bigint')} AND ${condition}
    ORDER BY r.producer_timestamp DESC LIMIT 1`;
