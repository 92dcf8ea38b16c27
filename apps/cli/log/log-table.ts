import { amount } from '../amounts';
import { columns } from '../columns';
import type { LogStatus } from '#admin';

export function logTable({ log, body, lag, lastSnapshot, partitions, generations }: LogStatus): string {
  const facts = columns([
    ['log', log],
    ['stored in', body],
    ['not applied yet', amount(lag, 'record')],
    ['last snapshot', lastSnapshot ?? 'never'],
  ]);
  const positions = columns([
    ['PARTITION', 'BASE FROM', 'TAIL FROM', 'END', 'APPLIED TO', 'LAG'],
    ...partitions.map(({ partition, base, tail, end, applied, lag: left }) =>
      [partition, base ?? '-', tail, end, applied, left].map(String),
    ),
  ]);
  const tables = columns([
    ['GENERATION', 'STATE', 'VERSION', 'SCHEMA', 'MADE', 'LAG'],
    ...generations.map((one) => [
      String(one.generation),
      one.state,
      String(one.projectionVersion),
      one.schema,
      one.createdAt.replace(/\.\d+Z$/, 'Z'),
      one.lag === null ? 'of another log' : String(one.lag),
    ]),
  ]);
  return `${facts}\n${positions}\n${tables}`;
}
