/** Formats the figures as tables. */
const each = (ms, { records }) => (ms === undefined ? '–' : (ms / records).toFixed(2));
const allMs = ({ used }) => Object.values(used).reduce((sum, ms) => sum + ms, 0);
const rate = ({ records, seconds }) => (records / seconds).toFixed(0);
const megabytes = ({ bytes, seconds }) => (bytes / 1e6 / seconds).toFixed(1);
const time = (ms) => (ms === undefined ? '–' : ms.toFixed(1));

const appendColumns = [
  ['log', ({ log }) => log],
  ['through', ({ how }) => how],
  ['in flight', ({ inFlight }) => inFlight ?? 'batches'],
  ['records/s', rate],
  ['MB/s', megabytes],
  ['p50 ms', ({ p50 }) => time(p50)],
  ['p99 ms', ({ p99 }) => time(p99)],
  ['sender ms/record', (one) => each(one.used.node, one)],
  ['service', (one) => each(one.used.service, one)],
  ['PostgreSQL', (one) => each(one.used.postgres, one)],
  ['Kafka', (one) => each(one.used.kafka, one)],
  ['others busy', ({ others }) => others.toFixed(2)],
];

const passColumns = [
  ['log', ({ log }) => log],
  ['what', ({ what }) => what],
  ['records', ({ records }) => records],
  ['s', ({ seconds }) => seconds.toFixed(1)],
  ['records/s', rate],
  ['MB/s', megabytes],
  ['node ms/record', (one) => each(one.used.node, one)],
  ['PostgreSQL', (one) => each(one.used.postgres, one)],
  ['Kafka', (one) => each(one.used.kafka, one)],
  ['all', (one) => each(allMs(one), one)],
  ['records/s a core', (one) => ((1000 * one.records) / allMs(one)).toFixed(0)],
  ['MB resident', ({ resident }) => (resident / 1e6).toFixed(0)],
  ['others busy', ({ others }) => others.toFixed(2)],
];

/** Markdown. */
export function tables({ machine, fleet, appends, passes }) {
  const bytes = fleet.bytes.reduce((sum, one) => sum + one, 0);
  return [
    `${machine.processors} processors (${machine.model}), Node.js ${machine.node}, load before ${machine.loadBefore.map((one) => one.toFixed(2)).join(' ')}`,
    `${fleet.nodes} nodes, ${fleet.runs} runs: ${3 * fleet.nodes * fleet.runs} commands, ${(bytes / 1e6).toFixed(0)} MB compressed`,
    '',
    'Append',
    '',
    table(appendColumns, appends),
    '',
    'Read, project, replay',
    '',
    table(passColumns, passes),
    '',
    'ms/record: processor time, each process tree apart. others busy: processors that other work kept busy meanwhile.',
    '',
  ].join('\n');
}

function table(columns, rows) {
  const cells = [
    columns.map(([title]) => title),
    columns.map(() => '---'),
    ...rows.map((row) => columns.map(([, value]) => value(row))),
  ];
  return cells.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
