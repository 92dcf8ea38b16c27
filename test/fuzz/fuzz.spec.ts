/**
 * Sends valid and invalid queries to the built service with data: each answer must be 200 or 400, in time.
 * case-count.ts has the number and kinds of queries.
 */
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { startService, temporaryDataDir, type RunningService } from '../e2e/service';
import { askService, type FuzzRequest, type FuzzResult } from './ask-service';
import { astCase, type AstCase } from './ast-cases';
import { casesOf, fuzzSeed as seed, fuzzTimeoutMs } from './case-count';
import { pqlCase } from './pql-cases';
import { jsonText } from './values';

const conformance = join(__dirname, '../conformance');
const root = '/pdb/query/v4';
// A request line has a limit, so longer queries are sent as a body.
const longestQuery = 4000;

function requestOf(path: string, query: string, extra: Readonly<Record<string, string>>): FuzzRequest {
  const parameters = new URLSearchParams({ query, ...extra }).toString();
  return parameters.length > longestQuery
    ? { method: 'POST', path, body: JSON.stringify({ query }) }
    : { method: 'GET', path: `${path}?${parameters}` };
}

const extras = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { include_total: 'true', limit: '2' },
      { offset: '1', order_by: '[{"field":"certname","order":"desc"}]' },
      { order_by: '[{"field":"nope"}]' },
      { limit: '0' },
      { offset: '-1' },
      { order_by: '{' },
    ),
  },
);

const counted = fc.constantFrom('event-counts', 'aggregate-event-counts');
const countExtras = fc.record(
  {
    summarize_by: fc.constantFrom('certname', 'resource', 'containing_class', 'nope'),
    count_by: fc.constantFrom('certname', 'resource', 'nope'),
    counts_filter: fc.constantFrom('[">","failures",0]', '["=","successes","x"]', '[]', '{'),
  },
  { requiredKeys: ['summarize_by'] },
);

function astRequest({ entity, query, atRoot }: AstCase, extra: Record<string, string>): FuzzRequest {
  return requestOf(atRoot ? root : `${root}/${entity.replaceAll('_', '-')}`, jsonText(query), extra);
}

const astRequests = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(astCase, extras).map(([one, extra]) => astRequest(one, extra)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        astCase.filter(({ entity, atRoot }) => entity === 'events' && !atRoot),
        counted,
        countExtras,
      )
      .map(([{ query }, path, extra]) => requestOf(`${root}/${path}`, jsonText(query), extra)),
  },
);
const pqlRequests = fc.tuple(pqlCase, extras).map(([one, extra]) => requestOf(root, one, extra));

function verdict(name: string, cases: number, { statuses, late, slowestMs, offences }: FuzzResult): string[] {
  console.info(`${name}: seed ${seed}, ${cases} cases, by status ${JSON.stringify(statuses)}, slowest ${slowestMs} ms`);
  return [...offences, ...late.map((request) => ({ request, what: 'it took longer than any query may' }))].map(
    ({ request, what }) => `${what}\n  ${request.method} ${request.path} ${String(request.body ?? '')}`,
  );
}

let service: RunningService;
let dataDir: string;

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  const env = { NODELEDGER_DIALECT: 'puppetdb', NODELEDGER_GC_INTERVAL: '0', NODELEDGER_REPORT_TTL: '20000d' };
  service = await startService({ dataDir, env });
  const load = ['load.mjs', service.url, 'datasets/public.jsonl', '--dialect', 'puppetdb', '--allow-failures'];
  execFileSync(process.execPath, load, { cwd: conformance });
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe.each<['JSON queries' | 'PQL', fc.Arbitrary<FuzzRequest>]>([
  ['JSON queries', astRequests],
  ['PQL', pqlRequests],
])('%s', (name, requests) => {
  it(
    'are answered, whatever they are',
    async () => {
      const cases = casesOf(name);
      const result = await askService(service.url, fc.sample(requests, { numRuns: cases, seed }));
      expect(verdict(name, cases, result)).toEqual([]);
      // The cases are useful only if the service answers many of them.
      expect(result.statuses[200] ?? 0).toBeGreaterThan(cases / 3);
    },
    fuzzTimeoutMs,
  );
});
