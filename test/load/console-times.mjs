/**
 * Measures the console over a large fleet (support/large-fleet.mjs): the time of each endpoint now and as of an earlier time, and
 * in Chromium the time until a page shows its first content and until a filter shows its nodes: `node test/load/console-times.mjs
 * --out DIR`. Prints, for the present and for the earlier time, the median and the processor time of the service with its PostgreSQL, in
 * milliseconds. Two hours after it was filled, the whole fleet is unreported.
 */
import { chromium } from 'playwright-core';
import { percentiles } from './bench/percentiles.mjs';
import { DEFAULT_DIST, readArguments } from './support/arguments.mjs';
import { ProcessWatch } from './support/processes.mjs';
import { fleetOptions, openLargeFleet } from './support/large-fleet.mjs';

const USAGE = `Usage: node test/load/console-times.mjs --out DIR [options]

  --nodes N (10000)  --models N (40)  --runs N (3)  size of the fleet, and how many of its machines submit their runs
  --rounds N (7)    how often each time is measured
  --only TEXT       only lines whose name contains TEXT
  --dist DIR        the built project
  --browser FILE    the program of Chromium (/usr/bin/chromium)
`;
const flags = readArguments(USAGE, {
  ...fleetOptions({ nodes: '10000', runs: '3' }),
  rounds: { type: 'string', default: '7' },
  only: { type: 'string', default: '' },
  dist: { type: 'string', default: DEFAULT_DIST },
  browser: { type: 'string', default: '/usr/bin/chromium' },
});

const columns = { facts: ['role', 'os.name'] };
const facets = { fields: ['status', 'environment', 'fact:os.name', 'fact:role'] };
const debian = { where: { 'fact:os.name': ['Debian'] } };
const endpoints = [
  ['summary', 'summary', {}],
  ['runs of a day', 'runs', { window: '24h' }],
  ['runs of 14 days', 'runs', { window: '14d', step: '12h' }],
  ['failures by cause', 'failures', {}],
  ['failures by class', 'failures/groups', { by: 'class' }],
  ['facets', 'facets', facets],
  ['facets, filtered', 'facets', { ...facets, ...debian }],
  ['node list by status', 'node-list', { ...columns, order: '-status', limit: 200 }],
  ['node list by a fact', 'node-list', { ...columns, order: 'fact:role', limit: 200 }],
  ['node list, filtered', 'node-list', { ...columns, ...debian, limit: 200 }],
  ['values of a fact', 'fact-distribution', { path: 'os.release.full' }],
  ['versions of a package', 'package-versions', { name: 'openssl' }],
  ['search for a node', 'search', { q: 'web' }],
  ['search for a value', 'search', { q: 'role=web' }],
];
/** Pages with the element that is their first content. */
const pages = [
  ['overview', '', '.fleet a .n'],
  ['overview with causes', '', '.causes tr[data-row]'],
  ['nodes', 'nodes', 'table.list tr[data-row]'],
  ['fact', 'facts/os.release.full', '.bars .bar-row'],
];
/** Filters of the node list: a link that is clicked. */
const filters = [
  ['filter by status', '.facet a:has-text("Unchanged")'],
  ['filter by a fact', '.facet a:has-text("Debian")'],
  ['filter by two fields', '.facet a:has-text("Debian")', 'nodes?status=unchanged'],
];

const rounds = Number(flags.rounds);
const { side, schema, rowsOf, get, close } = await openLargeFleet(flags);
const watch = new ProcessWatch(side);
const browser = await chromium.launch({ executablePath: flags.browser, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const [{ moment }] = await rowsOf(
    `SELECT to_char((min(received_at) + (max(received_at) - min(received_at)) * 0.7) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS moment
     FROM ${schema}.timeline`,
  );
  const both = async (name, measure) => {
    if (!name.includes(flags.only)) return;
    const cells = [];
    for (const asOf of [undefined, moment]) {
      const times = [];
      await measure(0, asOf);
      watch.begin({ postgresMemory: false });
      for (let round = 1; round <= rounds; round++) times.push(await measure(round, asOf));
      const { serviceMs, postgresMs } = watch.end();
      cells.push(percentiles(times).p50, (serviceMs + postgresMs) / rounds);
    }
    process.stdout.write(`| ${name.padEnd(24)} | ${cells.map((ms) => ms.toFixed(0).padStart(6)).join(' | ')} |\n`);
  };
  for (const [name, path, parameters] of endpoints)
    await both(name, (round, asOf) => ask(path, parameters, round, asOf));
  for (const [name, path, selector] of pages) await both(name, (_, asOf) => open(path, selector, asOf));
  for (const [name, link, path = 'nodes'] of filters) await both(name, (_, asOf) => filter(path, link, asOf));
} finally {
  watch.stop();
  await browser.close();
  await close();
}

/** Returns the milliseconds of a request. Each request is different, so that no answer is one that was made before. */
async function ask(path, parameters, round, asOf) {
  const own = path === 'runs' ? {} : { unreported_after: `${180 + round}m` };
  const given = Object.entries({ ...parameters, ...own, ...(asOf && { as_of: asOf }) });
  const query = new URLSearchParams(
    given.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const began = performance.now();
  await get(`/nodeledger/v1/${path}?${query}`);
  return performance.now() - began;
}

async function withPage(work) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

function addressOf(path, asOf) {
  const url = new URL(`${side.url}/console/${path}`);
  if (asOf) url.searchParams.set('as_of', asOf);
  return url.href;
}

/** Returns the milliseconds from the navigation of an empty browser until the element exists. */
function open(path, selector, asOf) {
  return withPage(async (page) => {
    await page.addInitScript((wanted) => {
      const look = () => {
        if (document.querySelector(wanted) === null) requestAnimationFrame(look);
        else globalThis.shownAfter = performance.now();
      };
      requestAnimationFrame(look);
    }, selector);
    await page.goto(addressOf(path, asOf));
    const shown = await page.waitForFunction(() => globalThis.shownAfter);
    return shown.jsonValue();
  });
}

/** Returns the milliseconds from the click on a filter until the list shows its nodes. */
function filter(path, link, asOf) {
  return withPage(async (page) => {
    await page.goto(addressOf(path, asOf));
    await page.locator('table.list tr[data-row]').first().waitFor();
    await page.waitForLoadState('networkidle');
    return page
      .locator(link)
      .first()
      .evaluate(async (element) => {
        const heading = () => document.querySelector('.pagehead p')?.textContent;
        const before = heading();
        const began = performance.now();
        element.click();
        while (heading() === before || document.querySelector('.fresh table.list tr[data-row]') === null)
          await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - began;
      });
  });
}
