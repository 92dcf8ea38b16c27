import { logTable } from './log-table';

test('a log is shown in three tables', () => {
  const generation = { schema: 'gen_1', projectionVersion: 3, createdAt: '2026-01-31T12:00:00.250Z' };
  const text = logTable({
    log: '00000000-0000-4000-8000-000000000001',
    body: 'embedded',
    lag: 1234,
    lastSnapshot: null,
    partitions: [
      { partition: 0, base: null, tail: 1, end: 500, applied: 500, lag: 0 },
      { partition: 1, base: 7, tail: 120, end: 1500, applied: 266, lag: 1234 },
    ],
    generations: [
      { ...generation, generation: 1, state: 'retired', lag: null },
      { ...generation, generation: 2, schema: 'gen_2', state: 'live', lag: 1234 },
    ],
  });
  expect(text).toBe(`log              00000000-0000-4000-8000-000000000001
stored in        embedded
not applied yet  1,234 records
last snapshot    never

PARTITION  BASE FROM  TAIL FROM  END   APPLIED TO  LAG
0          -          1          500   500         0
1          7          120        1500  266         1234

GENERATION  STATE    VERSION  SCHEMA  MADE                  LAG
1           retired  3        gen_1   2026-01-31T12:00:00Z  of another log
2           live     3        gen_2   2026-01-31T12:00:00Z  1234
`);
});
