import type { Settings } from './setting-table';

export function queryProblems({ maxQueries, readPoolSize }: Readonly<Settings>): string[] {
  if (maxQueries === undefined || maxQueries <= readPoolSize) return [];
  return [
    `NODELEDGER_MAX_QUERIES=${maxQueries} is more than NODELEDGER_READ_POOL_SIZE=${readPoolSize}: ` +
      'each running query needs a connection; raise the pool size too',
  ];
}
