/**
 * Does ten tasks of operators in the console and in puppetboard, over the same service and fleet, and prints for each the clicks,
 * the typed fields, and the seconds from the first click until the answer is visible (medians):
 * `node --require ./test/support/run-typescript.cjs test/load/console-tasks.mjs --out DIR`.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { percentiles } from './bench/percentiles.mjs';
import { DEFAULT_DIST, readArguments } from './support/arguments.mjs';
import { fleetOptions, openLargeFleet } from './support/large-fleet.mjs';

const none = async () => undefined;
const load = createRequire(import.meta.url);
const { startPuppetboard } = load('../clients/dashboards/puppetboard.ts');
const { pythonWith } = load('../support/python-packages.ts');

const USAGE = `Usage: node --require ./test/support/run-typescript.cjs test/load/console-tasks.mjs --out DIR [options]

  --nodes N (2000)  --models N (40)  --runs N (3)  size of the fleet, and how many of its machines submit their runs
  --rounds N (5)    how often each task is done
  --only N          only the task with this number
  --dist DIR        the built project
  --browser FILE    the program of Chromium (/usr/bin/chromium)
`;
const flags = readArguments(USAGE, {
  ...fleetOptions({ nodes: '2000', runs: '3' }),
  rounds: { type: 'string', default: '5' },
  only: { type: 'string' },
  dist: { type: 'string', default: DEFAULT_DIST },
  browser: { type: 'string', default: '/usr/bin/chromium' },
});

const environment = { NODELEDGER_DIALECT: 'puppetdb', NODELEDGER_EDITION: 'open' };
const { side, schema, rowsOf, close } = await openLargeFleet({ ...flags, environment });
const { hostname, port } = new URL(side.url);
const board = await startPuppetboard({
  python: await pythonWith(join(import.meta.dirname, '../clients/dashboards/requirements.txt')),
  folder: join(flags.out, 'puppetboard'),
  settings: { PUPPETDB_HOST: hostname, PUPPETDB_PORT: Number(port), PUPPETDB_SSL_VERIFY: false },
});
const browser = await chromium.launch({ executablePath: flags.browser, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const [{ failed, other, moment }] = await rowsOf(`SELECT
    (SELECT n.certname FROM ${schema}.nodes n JOIN ${schema}.latest_reports l USING (node) JOIN ${schema}.resource_events e ON e.report = l.report
      WHERE e.status = 'failure' AND n.certname ~ '[a-z]$' ORDER BY 1 LIMIT 1) AS failed,
    (SELECT certname FROM ${schema}.nodes WHERE latest_report_status = 'unchanged' AND certname ~ '[a-z]$' ORDER BY 1 LIMIT 1) AS other,
    (SELECT to_char(max(received_at) - interval '20 minutes', 'YYYY-MM-DD HH24:MI') FROM ${schema}.timeline) AS moment`);
  const certname = failed;
  const console = `${side.url}/console/`;
  const overview = `${board.url}/*/`;
  const boardNode = async (act) => {
    await act.click('.menu a.item:text-is("Nodes")');
    await act.type('#main-table-search', certname);
    await act.click(`td a[href$="/node/${certname}"]`);
  };
  const consoleNode = async (act) => {
    await act.key('/');
    await act.type('[role="combobox"]', certname.split('.')[0]);
    await act.page
      .locator(`[role="option"]:has-text("${certname.split('.')[0]}")`)
      .first()
      .waitFor();
    await act.key('Enter');
  };
  // For each side: the first page, the actions, and the element that is the answer.
  const tasks = [
    {
      asks: 'Is anything wrong now?',
      console: [console, none, '.fleet a .n'],
      board: [overview, none, 'h1.failed'],
    },
    {
      asks: 'Why did these nodes fail?',
      console: [console, none, '.causes tr[data-row]'],
      board: [overview, (act) => act.click('.menu a.item:text-is("Failures")'), '#main-table tbody tr td:nth-child(3)'],
    },
    {
      asks: 'What is wrong with this node?',
      console: [console, consoleNode, '.card:has-text("Broken now") .lines li'],
      board: [
        overview,
        async (act) => {
          await boardNode(act);
          await act.click('#reports_table a.failed');
        },
        '#events_table tr.failed',
      ],
    },
    {
      asks: 'What changed on it since it worked?',
      console: [console, consoleNode, 'ol.tl .ch'],
      board: 'it shows the events of one report at a time, and no changes of facts, packages and catalogs',
    },
    {
      asks: 'How was it at an earlier time?',
      console: [
        `${console}nodes/${certname}`,
        async (act) => {
          await act.click('button:has-text("Now")');
          await act.type('input[aria-label="Time"]', moment);
          await act.key('Enter');
        },
        '.past',
      ],
      board: 'it has no past of facts and catalogs',
    },
    {
      asks: 'Who else has this value?',
      console: [
        `${console}nodes/${certname}/facts?open=os`,
        (act) => act.click('tr:has-text("family") td a[href*="facts/os.family"]'),
        '.card a[href*="/nodes/"]',
      ],
      board: [
        `${board.url}/*/node/${certname}`,
        (act) => act.click('#facts_table tr:has-text("kernelrelease") td a >> nth=-1'),
        '#facts_table tbody td a',
      ],
    },
    {
      asks: 'Why is this node not like that one?',
      console: [
        `${console}nodes/${certname}`,
        async (act) => {
          await act.click('a.btn:has-text("Compare")');
          await act.type('[aria-label="Second node"]', other);
          await act.key('Enter');
        },
        'table.compare tr[data-row]',
      ],
      board: 'it compares catalogs only',
    },
    {
      asks: 'Which nodes went silent?',
      console: [
        console,
        (act) => act.click('.fleet a:has-text("Unreported")'),
        'table.list tr[data-row], .card:has-text("No node")',
      ],
      board: [overview, (act) => act.click('a[href$="nodes?status=unreported"]'), '#main-table-search'],
    },
    {
      asks: 'Is what I see up to date?',
      console: [console, none, '.live'],
      board: 'it does not say which commands wait',
    },
    {
      asks: 'A question of my own, as a link',
      console: [
        `${console}query`,
        async (act) => {
          await act.type('.cm-content', 'nodes[certname] { latest_report_status = "failed" }');
          await act.key('Control+Enter');
        },
        'table.results tr[data-row]',
      ],
      board: [
        `${board.url}/*/query`,
        async (act) => {
          await act.type('#query', 'nodes[certname] { latest_report_status = "failed" }');
          await act.click('.submit.button');
        },
        '#query_table tbody td',
      ],
    },
  ];
  for (const [index, task] of tasks.entries()) {
    if (flags.only !== undefined && Number(flags.only) !== index + 1) continue;
    const cells = [];
    for (const way of [task.console, task.board]) cells.push(typeof way === 'string' ? way : await median(way));
    process.stdout.write(`| ${index + 1}. ${task.asks} | ${cells.join(' | ')} |\n`);
  }
} finally {
  await browser.close();
  await board.stop();
  await close();
}

/** Does a task several times, each in an empty browser. Returns its actions and the median of its seconds. */
async function median([address, actions, answer]) {
  const times = [];
  let words = '';
  for (let round = 0; round < Number(flags.rounds); round++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const counts = { click: 0, key: 0, field: 0 };
    let began;
    const start = () => (began ??= performance.now());
    const act = {
      page,
      click: async (selector) => {
        const target = page.locator(selector).first();
        await target.waitFor();
        start();
        counts.click++;
        await target.click();
      },
      type: (selector, text) => (start(), counts.field++, page.locator(selector).first().fill(text)),
      key: (key) => (start(), counts.key++, page.keyboard.press(key)),
    };
    const opened = performance.now();
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    // A task without actions is answered by the first page.
    if (actions !== none) {
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(1_000);
    }
    await actions(act);
    await page.locator(answer).first().waitFor();
    times.push((performance.now() - (began ?? opened)) / 1000);
    words = Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}${count > 1 ? 's' : ''}`)
      .join(', ');
    await context.close();
  }
  return `${words || 'none'} | ${percentiles(times).p50.toFixed(1)}`;
}
