/** The report for people. */

const UNITS = {
  number: (value) => plain(value),
  ms: (value) => `${plain(value)} ms`,
  bytes: (value) => `${plain(value / 1e6)} MB`,
};

function plain(value) {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

const written = (value, unit = 'number') => (value === undefined || Number.isNaN(value) ? '–' : UNITS[unit](value));
const times = (value) => (value === undefined ? '–' : `${plain(value)} ×`);
const nameOf = ({ side }) => (side.kind === 'ours' ? side.name : `${side.name} (${side.version})`);
const words = (label) => label.replace('-', ' ');

function table(titles, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(titles), `|${titles.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

export function markdownOf({ sizes, growth, appends }) {
  const sections = sizes.flatMap((size) => [
    `## ${capital(words(size.label))}`,
    conditions(size),
    figures(size),
    queries(size),
    ...failures(size),
  ]);
  if (growth !== undefined) sections.push(...growthSection(growth));
  if (appends !== undefined) sections.push(...appendSection(appends));
  return `${['# Measurements', LEGEND, ...sections].join('\n\n')}\n`;
}

const LEGEND =
  'Ratios are above 1 where the first side is better. The floor is what PostgreSQL alone takes on the first side: COPY of the rows that the ' +
  'first load wrote into empty tables with the same indexes, and the statement of each query sent directly. ' +
  'test/load/README.md says how each figure is measured.';

function conditions({ sides }) {
  const [{ machine, options, load }] = sides;
  const commands = load?.reduce((sum, one) => sum + one.commands, 0);
  const measured = sides
    .map(
      (one) =>
        `${nameOf(one)} ${one.startedAt.slice(0, 16).replace('T', ' ')} UTC (load average before: ${plain(one.machine.loadBefore)})`,
    )
    .join(', ');
  return (
    `${machine.processors} processors (${machine.model}), ${written(machine.memory, 'bytes')} of memory, Node.js ${machine.node}. Measured: ${measured}.` +
    (commands === undefined
      ? ''
      : ` ${plain(commands)} commands in ${load.length === 1 ? 'one run' : `${load.length} runs`}, ${options.gzip ? 'compressed' : 'not compressed'}.`)
  );
}

function figures({ sides, figures: rows }) {
  const [ours, other] = sides;
  const titles = [
    'measure',
    nameOf(ours),
    ...(other === undefined ? [] : [nameOf(other), 'ratio']),
    'floor',
    'goal',
    '',
  ];
  return table(
    titles,
    rows.map(({ measure, unit, ours: mine, other: theirs, ratio, floor, ofFloor, goal, reached }) => [
      measure,
      written(mine, unit),
      ...(other === undefined ? [] : [written(theirs, unit), times(ratio)]),
      floor === undefined ? '' : `${written(floor, unit)} (${plain(100 * ofFloor)} % of it reached)`,
      goalText(goal, unit),
      outcome(goal, reached),
    ]),
  );
}

function goalText(goal, unit) {
  if (goal === undefined) return '';
  if (goal.times !== undefined) return `≥ ${goal.times} ×`;
  return goal.most === undefined ? `< ${written(goal.below, unit)}` : `≤ ${written(goal.most, unit)}`;
}

function outcome(goal, reached) {
  if (goal === undefined) return '';
  if (reached === undefined) return 'not compared';
  if (goal.below === undefined ? reached >= 1 : reached > 1) return 'met';
  return `short: ${plain(1 / reached)} × off`;
}

function queries({ sides, ratios }) {
  const asked = sides.filter((one) => one.queries !== undefined);
  if (asked.length === 0) return 'The queries were not measured.';
  const [ours] = asked;
  const floors = new Map((ours.sql ?? []).map((one) => [one.query, one]));
  const ratioOf = new Map(ratios.map(({ query, ratio }) => [query, ratio]));
  const titles = ['query', 'rows', ...asked.flatMap((one) => [`${nameOf(one)} p50 ms`, 'p95', 'processor ms', 'kB'])];
  if (sides.length > 1) titles.push('ratio of p50');
  if (floors.size > 0) titles.push('SQL alone, p50', '% of it reached');
  const rows = ours.queries.map(({ query, p50 }) => {
    const found = asked.map((one) => one.queries.find((figure) => figure.query === query));
    const counts = new Set(found.filter((one) => one?.rows !== undefined).map((one) => one.rows));
    const sameQuestion = new Set(found.filter(Boolean).map((one) => one.path)).size === 1;
    const floor = floors.get(query)?.p50;
    return [
      sameQuestion ? query : `${query} (asked about different nodes or reports)`,
      [...counts].join(' ≠ '),
      ...found.flatMap((one) => (one?.p50 === undefined ? ['failed', '', '', ''] : cells(one))),
      ...(sides.length > 1 ? [times(ratioOf.get(query))] : []),
      ...(floors.size > 0 ? [written(floor), floor && p50 ? plain((100 * floor) / p50) : '–'] : []),
    ];
  });
  const slower = ratios.filter(({ ratio }) => ratio < 1).map(({ query }) => query);
  return table(titles, rows) + (slower.length === 0 ? '' : `\n\nSlower than the other side: ${slower.join(', ')}.`);
}

const cells = ({ p50, p95, processorMs, bytes }) => [plain(p50), plain(p95), written(processorMs), plain(bytes / 1000)];

/** Lists the missing measurements, with reasons. */
function failures({ sides }) {
  const lines = sides.flatMap((one) => [
    ...Object.entries(one.failed).map(([part, message]) => `${nameOf(one)}, ${part}: ${message}`),
    ...(one.queries ?? []).filter(({ error }) => error).map(({ query, error }) => `${nameOf(one)}, ${query}: ${error}`),
    ...(one.sql ?? []).filter(({ error }) => error).map(({ query, error }) => `SQL of ${query}: ${error}`),
    ...(one.load ?? [])
      .filter(({ failures: count }) => count > 0)
      .map(
        ({ phase, failures: count, firstFailure }) =>
          `${nameOf(one)}, ${phase}: ${count} commands failed: ${firstFailure}`,
      ),
  ]);
  return lines.length === 0 ? [] : [`Failed:\n\n${lines.map((line) => `- ${line.replaceAll('\n', ' ')}`).join('\n')}`];
}

function growthSection({ from, to, queries: grown }) {
  const titles = ['query', 'kind', `${words(from)}, ms`, `${words(to)}, ms`, 'growth', 'rows'];
  const bounded = grown.filter(({ kind }) => kind !== 'list');
  const slow = bounded.filter(({ growth }) => growth > 2);
  const row = ({ query, kind, small, large, growth, rows }) => [
    ...[query, kind, plain(small), plain(large), `${plain(growth)} ×`],
    rows[0] === rows[1] ? rows[0] : `${rows[0]} → ${rows[1]}`,
  ];
  return [
    '## Growth',
    `p50 of the first side. Goal: at most 2 × for points, pages, counters and filters; ${bounded.length - slow.length} of ${bounded.length} meet it.`,
    table(titles, grown.toSorted((a, b) => b.growth - a.growth).map(row)),
  ];
}

function appendSection({ appends }) {
  const titles = ['log', 'through', 'in flight', 'records/s', 'p50 ms', 'p99 ms', '% of the floor reached'];
  const rate = ({ records, seconds }) => records / seconds;
  // Figures of the machine without nodeledger, with as many concurrent requests, or fewer.
  const floorOf = ({ log, inFlight }) =>
    Math.max(
      ...appends
        .filter((one) => one.log === log && / alone$/.test(one.how) && (one.inFlight ?? Infinity) <= inFlight)
        .map(rate),
    );
  return [
    '## Appends alone',
    'From `npm run bench:log`, which has all phases; here 20 nodes and 2 seconds each.',
    table(
      titles,
      appends.map((one) => [
        ...[one.log, one.how, one.inFlight ?? 'batches', plain(rate(one)), written(one.p50), written(one.p99)],
        / alone$/.test(one.how) ? '' : plain((100 * rate(one)) / floorOf(one)),
      ]),
    ),
  ];
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
