/**
 * Sends requests of many sizes to the built service: no status above 499, no long refusal, memory below a bound, and
 * valid commands still become visible. case-count.ts has the number and kinds of requests.
 */
import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { startService, temporaryDataDir, type RunningService } from '../../e2e/service';
import { factset } from '../../support/documents';
import { processMegabytes } from '../../support/process-memory';
import { askService, type FuzzRequest } from '../ask-service';
import { casesOf, fuzzSeed, fuzzTimeoutMs } from '../case-count';
import { certname } from './payload-documents';
import { searchOf } from './read';
import { make, type Made, type Recipe } from './recipe';
import { gzipRecipes, payloadRecipes, queryRecipes } from './recipes';

/** Two heaps of Node.js and the memory of running requests, which have at most a few megabytes. */
const mostMegabytes = 1_024;
/**
 * Share of the cases that may reach the deadline of queries: many comparisons with each of many rows, which earlier
 * payloads stored.
 */
const shareLate = 0.002;
const root = '/pdb/query/v4';

function requestOf(made: Made): FuzzRequest {
  if (made.to === 'command') {
    const space = made.name.lastIndexOf(' ');
    const parameters = { command: made.name.slice(0, space), version: made.name.slice(space + 1), certname };
    const path =
      made.name === 'agent report' ? '/nodeledger/v1/agent-reports' : `/pdb/cmd/v1?${new URLSearchParams(parameters)}`;
    const headers = made.encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {};
    return { method: 'POST', path, body: made.bytes, headers, allowed: [413] };
  }
  const path = `${root}/${made.path}`.replace(/\/$/, made.path === '' ? '' : '/');
  const search = searchOf(made);
  if (search === undefined) return { method: 'POST', path, body: JSON.stringify(made.parameters), allowed: [404, 413] };
  if (made.waitFor !== undefined) {
    // Waiting for a position without a record times out.
    return { method: 'GET', path, headers: { 'x-nodeledger-wait-for': made.waitFor }, allowed: [431, 504] };
  }
  return { method: 'GET', path: search === '' ? path : `${path}?${search}`, allowed: [404, 414, 431] };
}

let service: RunningService;
let dataDir: string;

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  const env = {
    NODELEDGER_DIALECT: 'puppetdb',
    NODELEDGER_GC_INTERVAL: '0',
    NODELEDGER_WAIT_TIMEOUT: '100ms',
    NODELEDGER_QUERY_TIMEOUT: '30s',
  };
  service = await startService({ dataDir, env });
  await submitAndWait('before');
}, 120_000);
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Resolves when the facts are visible. */
async function submitAndWait(value: string): Promise<void> {
  const parameters = {
    command: 'replace_facts',
    version: '5',
    certname: 'healthy.test',
    secondsToWaitForCompletion: '60',
  };
  const time = { producer_timestamp: new Date().toISOString() };
  const answer = await fetch(`${service.url}/pdb/cmd/v1?${new URLSearchParams(parameters)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(factset('healthy.test', { value }, time)),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"processed":true')]);
}

const peakMegabytes = (): number => processMegabytes(service.pid, 'VmHWM');

it(
  'are answered, whatever their size, and the service goes on',
  async () => {
    const cases = casesOf('sizes over HTTP');
    const recipes = fc.oneof(
      { weight: 6, arbitrary: queryRecipes },
      { weight: 4, arbitrary: payloadRecipes },
      { weight: 1, arbitrary: gzipRecipes },
    );
    const recipeOf = new WeakMap<FuzzRequest, Recipe>();
    function* requests(): Generator<FuzzRequest> {
      for (const recipe of fc.sample(recipes, { numRuns: cases, seed: fuzzSeed })) {
        const request = requestOf(make(recipe));
        recipeOf.set(request, recipe);
        yield request;
      }
    }
    const { statuses, late, slowestMs, offences } = await askService(service.url, requests());
    console.info(
      `sizes over HTTP: seed ${fuzzSeed}, ${cases} cases, by status ${JSON.stringify(statuses)}, ${late.length} ended at their deadline, slowest ${slowestMs} ms, at most ${Math.round(peakMegabytes())} MB`,
    );
    for (const request of late) console.info(`at its deadline: ${JSON.stringify(recipeOf.get(request))}`);
    expect(
      offences.map(({ request, what }) => `${what.slice(0, 500)}\n  ${JSON.stringify(recipeOf.get(request))}`),
    ).toEqual([]);
    expect(late.slice(Math.ceil(cases * shareLate)).map((request) => recipeOf.get(request))).toEqual([]);
    await submitAndWait('after');
    expect(peakMegabytes()).toBeLessThan(mostMegabytes);
  },
  fuzzTimeoutMs,
);
