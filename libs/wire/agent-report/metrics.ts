import type { JsonText } from '../documents';
import { eachElement } from '../check/elements';
import { describe, kindAt, type Members } from '../check/members';
import { quoted } from '../check/problems';
import { shape } from '../check/shape';
import { isInteger } from '../json/numbers';
import { decodeString, encodeString } from '../json/strings';

const metrics = shape([] as const, ['time', 'resources', 'events', 'changes'] as const);
const category = shape(['name', 'label', 'values'] as const);
type Category = (typeof metrics.names)[number];

/**
 * Names that the values of each category can have. A category without a list allows all names, and also numbers that
 * are not integers.
 */
const admitted: Readonly<Record<Category, readonly string[] | undefined>> = {
  time: undefined,
  resources: [
    'failed',
    'out_of_sync',
    'changed',
    'total',
    'skipped',
    'failed_to_restart',
    'restarted',
    'scheduled',
    'corrective_change',
  ],
  events: ['success', 'failure', 'audit', 'noop', 'total'],
  changes: ['total'],
};

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

interface AgentMetrics {
  readonly list: JsonText;
  readonly runSeconds: number;
}

export function agentMetrics<K extends string>(report: Members<K | 'metrics'>): AgentMetrics {
  const kind = report.kind('metrics');
  if (kind !== 'object') {
    if (kind !== undefined) report.wrong('metrics', 'an object');
    return { list: '[]', runSeconds: 0 };
  }
  const all = report.inner('metrics', metrics);
  if (!metrics.names.some((name) => all.has(name)))
    report.wrong('metrics', `at least one of ${metrics.names.join(', ')}`, 'none of them');
  const rows: string[] = [];
  let runSeconds = 0;
  for (const name of metrics.names) {
    if (!all.has(name)) continue;
    readCategory(all, name, (value, number) => {
      rows.push(`{"category":"${name}","name":${encodeString(value)},"value":${number}}`);
      if (name === 'time' && value === 'total') runSeconds = Number(number);
    });
  }
  return { list: `[${rows.join(',')}]`, runSeconds };
}

function readCategory(all: Members<Category>, name: Category, row: (value: string, number: string) => void): void {
  const { scan, problems } = all;
  const members = all.inner(name, category);
  for (const [field, expected] of [
    ['name', name],
    ['label', titleOf(name)],
  ] as const) {
    if (members.has(field) && members.text(field) !== expected && members.kind(field) === 'string')
      members.wrong(field, quoted(expected), quoted(members.text(field)));
  }
  if (!members.isArray('values')) return;
  const met = new Set<string>();
  const readNext = (pos: number, index: number): number => {
    const slots: number[] = [];
    const path = `${members.path('values')}[${index}]`;
    if (kindAt(scan.text, pos) === 'array')
      eachElement(scan, pos, (slot) => {
        slots.push(slot);
        return scan.skip(slot);
      });
    if (slots.length !== 3) problems.add(path, 'an array of name, label and value', describe(scan.text, pos));
    else readValue(all, name, path, slots, (value, number) => (met.add(value), row(value, number)));
    return scan.skip(pos);
  };
  eachElement(scan, members.start('values'), readNext, 'metrics');
  if (name === 'events' && !met.has('total')) members.wrong('values', 'one named total', 'none');
}

function readValue(
  { scan, problems }: Members<Category>,
  category: Category,
  path: string,
  [nameAt, labelAt, valueAt]: readonly number[],
  row: (value: string, number: string) => void,
): void {
  const { text } = scan;
  const textAt = (index: number, pos: number): string | undefined => {
    if (kindAt(text, pos) !== 'string') {
      problems.add(`${path}[${index}]`, 'a string', describe(text, pos));
      return undefined;
    }
    return decodeString(text.slice(pos + 1, scan.string(pos) - 1));
  };
  const names = admitted[category];
  const name = textAt(0, nameAt!);
  const label = textAt(1, labelAt!);
  const number = text.slice(valueAt, scan.skip(valueAt!));
  const isNumber = kindAt(text, valueAt!) === 'number';
  if (name !== undefined && names !== undefined && !names.includes(name))
    problems.add(`${path}[0]`, `one of ${names.join(', ')}`, quoted(name));
  else if (name !== undefined && names !== undefined && label !== undefined && label !== titleOf(name))
    problems.add(`${path}[1]`, quoted(titleOf(name)), quoted(label));
  if (!isNumber || (names !== undefined && !isInteger(number)))
    problems.add(
      `${path}[2]`,
      names === undefined ? 'a number' : 'an integer',
      isNumber ? 'a number with a point or an exponent' : describe(text, valueAt!),
    );
  else if (name !== undefined) row(name, number);
}
