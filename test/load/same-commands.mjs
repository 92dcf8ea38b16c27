// Sends the same valid and invalid commands to two servers, and reports where their statuses and then their answers
// differ. Both servers must be empty, because other data would be a difference.
import { readArguments } from './support/arguments.mjs';
import { commandList } from './support/command-list.mjs';

const USAGE = `Usage: node test/load/same-commands.mjs --reference URL --ours URL [options]

  --wait SECONDS (1.5)   how long a command may take; the reference keeps silent about those that it discards
  --concurrency N (4)    machines at a time
  --list                 print the commands and end
`;
const flags = readArguments(USAGE, {
  reference: { type: 'string' },
  ours: { type: 'string' },
  wait: { type: 'string', default: '1.5' },
  concurrency: { type: 'string', default: '4' },
  list: { type: 'boolean' },
});

/** Intended differences; docs/differences.md explains them. */
const REASONS = [
  { about: 'command', matches: ({ note }) => note === 'wrong checksum', reason: 'a wrong checksum is refused' },
  {
    about: 'command',
    matches: ({ note }) => note === 'payload of another machine',
    reason: 'a payload of another machine becomes a dead letter',
  },
  {
    about: 'row',
    matches: ({ text, commands }) =>
      commands.some(({ note, certname }) => note === 'wrong checksum' && text.includes(`"${certname}"`)),
    reason: 'a wrong checksum is refused',
  },
  {
    about: 'row',
    matches: ({ text, commands }) =>
      commands.some(
        ({ note, certname }) => note === 'payload of another machine' && text.includes(`"not-${certname}"`),
      ),
    reason: 'a payload of another machine becomes a dead letter',
  },
];

const all = encodeURIComponent('["=","node_state","any"]');
const QUERIES = [
  `nodes?query=${all}&include_facts_expiration=true`,
  'nodes',
  `facts?query=${all}`,
  `factsets?query=${all}`,
  `fact-contents?query=${all}`,
  'fact-names',
  'fact-paths',
  `inventory?query=${all}`,
  'catalogs',
  `resources?query=${all}`,
  `edges?query=${all}`,
  `reports?query=${encodeURIComponent('["=","type","any"]')}`,
  'reports',
  `reports?query=${encodeURIComponent('["=","latest_report?",true]')}`,
  'events',
  `event-counts?summarize_by=certname`,
  `event-counts?summarize_by=containing_class`,
  `event-counts?summarize_by=resource`,
  `aggregate-event-counts?summarize_by=resource`,
  'environments',
  'producers',
  'packages',
  'package-inventory',
  'catalog-inputs',
  'catalog-input-contents',
];

/** Times from the clock of the server. */
const RECEIVED = /"(facts_timestamp|catalog_timestamp|(?:report_)?receive_time)":"[^"]*"/g;
/** A server made times of this year or later, because the documents are older. */
const OWN_TIME = /"(deactivated|producer_timestamp)":"(\d{4})-[^"]*"/g;
const thisYear = new Date().getUTCFullYear();

async function ask(url, path) {
  const answer = await fetch(`${url}/pdb/query/v4/${path}`);
  const text = await answer.text();
  if (!answer.ok) return { status: answer.status, rows: [text] };
  // Compares numbers by their spelling.
  const spelled = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"#${token}"`,
  );
  const received = /^(factsets|inventory)/.test(path) ? /"timestamp":"[^"]*"/g : /$^/g;
  const plain = (row) =>
    JSON.stringify(inOrder(row))
      .replace(RECEIVED, '"$1":"received"')
      .replace(OWN_TIME, (same, name, year) => (Number(year) >= thisYear ? `"${name}":"received"` : same))
      .replace(received, '"timestamp":"received"');
  try {
    return { status: answer.status, rows: JSON.parse(spelled).map(plain).sort() };
  } catch (error) {
    return { status: `broken JSON (${error.message})`, rows: [text.slice(-300)] };
  }
}

/** Sorts keys, and lists of expanded children, which have no order. */
function inOrder(value, key = '') {
  if (Array.isArray(value)) {
    const elements = value.map((element) => inOrder(element));
    return key === 'data' || key === 'tags' || key === 'inputs' ? elements.sort(byText) : elements;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, inOrder(value[name], name)]),
  );
}
const byText = (a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

async function submit(url, command) {
  const query = new URLSearchParams({ ...command.query, secondsToWaitForCompletion: flags.wait });
  const { method, headers, body } = command;
  const answer = await fetch(`${url}/pdb/cmd/v1?${query}`, { method, headers, body });
  const text = await answer.text();
  if (answer.status !== 200 && answer.status !== 503) return { outcome: String(answer.status), text };
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    return { outcome: String(answer.status), text };
  }
  if (said.processed && said.error === undefined) return { outcome: 'processed', text };
  if (said.uuid === undefined) return { outcome: String(answer.status), text };
  return { outcome: 'accepted, not applied', text };
}

async function submitAll(url, commands) {
  const found = {};
  for (const one of commands) (found[one.certname] ??= []).push(one);
  const byMachine = Object.values(found);
  const outcomes = new Map();
  let next = 0;
  const serve = async () => {
    while (next < byMachine.length) {
      for (const command of byMachine[next++]) outcomes.set(command.id, await submit(url, command));
    }
  };
  await Promise.all(Array.from({ length: Number(flags.concurrency) }, serve));
  return outcomes;
}

let unexplained = 0;
const explained = new Map();
function tell(about, difference, lines) {
  const known = REASONS.find((one) => one.about === about && one.matches(difference));
  if (known) return explained.set(known.reason, (explained.get(known.reason) ?? 0) + 1);
  unexplained++;
  process.stdout.write(`${lines.join('\n  ')}\n`);
}

const commands = commandList;
if (flags.list) {
  for (const { id, query, certname, note } of commands)
    process.stdout.write(`${id} ${query.command ?? '(old form)'} ${certname}: ${note}\n`);
  process.exit();
}
if (flags.reference === undefined || flags.ours === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const [theirs, ours] = await Promise.all([submitAll(flags.reference, commands), submitAll(flags.ours, commands)]);
for (const command of commands) {
  const [a, b] = [theirs.get(command.id), ours.get(command.id)];
  if (a.outcome === b.outcome) continue;
  tell('command', command, [
    `command ${command.id} (${command.query.command ?? 'old form'}, ${command.certname}): ${command.note}`,
    `reference: ${a.outcome} ${a.text.slice(0, 200)}`,
    `ours:      ${b.outcome} ${b.text.slice(0, 200)}`,
  ]);
}

// The reference lists unreferenced values until it is cleaned. Our service never lists them.
for (const url of [flags.reference, flags.ours]) {
  const body = JSON.stringify({ command: 'clean', version: 1, payload: ['gc_packages', 'other'] });
  const answer = await fetch(`${url}/pdb/admin/v1/cmd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (!answer.ok) throw new Error(`${url} does not clean: ${answer.status} ${await answer.text()}`);
}

let rows = 0;
for (const path of QUERIES) {
  const [a, b] = await Promise.all([ask(flags.reference, path), ask(flags.ours, path)]);
  rows += a.rows.length;
  if (a.status !== b.status) {
    tell('query', { path }, [`${path}: ${a.status} and ${b.status}`, a.rows[0], b.rows[0]]);
    continue;
  }
  const only = (some, others) => {
    const left = [...others];
    return some.filter((row) => {
      const place = left.indexOf(row);
      if (place >= 0) left.splice(place, 1);
      return place < 0;
    });
  };
  const both = [
    only(a.rows, b.rows).map((text) => ['reference', text]),
    only(b.rows, a.rows).map((text) => ['ours', text]),
  ];
  for (const [side, text] of both.flat()) {
    tell('row', { path, text, commands }, [`${decodeURIComponent(path)}: only ${side}`, text.slice(0, 1500)]);
  }
}
for (const [reason, count] of explained) process.stdout.write(`${count} × as meant: ${reason}\n`);
process.stdout.write(
  `${commands.length} commands, ${rows} rows of ${QUERIES.length} queries: ${unexplained} differences\n`,
);
process.exitCode = unexplained === 0 ? 0 : 1;
