import { Command } from 'commander';
import { countBetween } from './arguments';
import { askService } from './ask-service';
import { type ServiceFlags, withService } from './http-client';
import { onOneLine } from './on-one-line';
import { paintChange, paintTitle } from './paint';
import { print } from './print';

interface Nodes {
  readonly nodes: number;
  readonly certnames: readonly string[];
}

interface DriftItem {
  readonly path?: readonly (string | number)[];
  readonly type?: string;
  readonly title?: string;
  readonly name?: string;
  readonly provider?: string;
  /** The value that most nodes have. Absent if most nodes do not have the item. */
  readonly value?: unknown;
  readonly nodes: number;
  readonly others: readonly (Nodes & { readonly value?: unknown; readonly changes?: readonly DriftChange[] })[];
  readonly others_left_out: number;
  readonly missing: Nodes | null;
}

interface DriftChange {
  readonly path: readonly (string | number)[];
  readonly old?: unknown;
  readonly new?: unknown;
}

const parts = ['facts', 'resources', 'packages'] as const;

interface DriftPart {
  readonly equal: number;
  readonly differing: readonly DriftItem[];
  readonly left_out: number;
}

type Group = { readonly value: unknown; readonly nodes: number } & {
  readonly [part in (typeof parts)[number]]?: DriftPart;
};

export interface Drift {
  readonly by: string;
  readonly groups: readonly Group[];
  readonly groups_left_out: number;
  readonly left_out: { readonly volatile: readonly string[] } & {
    readonly [part in (typeof parts)[number]]?: { readonly count: number };
  };
}

interface DriftFlags extends ServiceFlags {
  readonly by: string;
  readonly minGroup?: number;
  readonly majority?: number;
  readonly part?: string;
  readonly limit?: number;
  readonly json?: true;
}

export function driftCommand(): Command {
  return withService(new Command('drift'))
    .requiredOption('--by <fact>', 'the fact that groups the nodes: role, facts.os.name')
    .option('--min-group <count>', 'smallest group; default: 3', countBetween(2, 100_000))
    .option('--majority <percent>', 'percent of a group that must agree; default: 80', countBetween(51, 100))
    .option('--part <parts>', 'parts to compare, with commas: facts, resources, packages')
    .option('--limit <count>', 'largest number of items of each group and part; default: 50', countBetween(1, 200))
    .option('--json', 'print JSON, even on a terminal')
    .action(async ({ by, minGroup, majority, part, limit, ...flags }: DriftFlags) => {
      const parameters = { by, min_group: minGroup, majority, part, limit };
      const answer = await askService(flags, '/nodeledger/v1/drift', { parameters });
      const drift = (await answer.json()) as Drift;
      print(drift, flags, () => driftText(drift));
    });
}

export function driftText({ by, groups, groups_left_out, left_out }: Drift): string {
  const blocks = groups.map((group) => groupText(by, group));
  const unique = parts.flatMap((name) => {
    const count = left_out[name]?.count ?? 0;
    return count === 0 ? [] : [`${count} ${name} with a value of their own on most nodes`];
  });
  const others = groups_left_out === 0 ? [] : [`${groups_left_out} groups that are too small`];
  const volatile =
    left_out.volatile.length === 0 ? [] : [`volatile facts (${left_out.volatile.map(onOneLine).join(', ')})`];
  const left = [...others, ...volatile, ...unique];
  if (blocks.length === 0) blocks.push(`no group of nodes with the same ${onOneLine(by)} is large enough\n`);
  return blocks.join('\n') + (left.length === 0 ? '' : `\nnot compared: ${left.join('; ')}\n`);
}

function groupText(by: string, group: Group): string {
  const found = parts.flatMap((name) => {
    const part = group[name];
    if (part === undefined) return [];
    const { differing, equal, left_out } = part;
    const title = `  ${name}: ${equal} equal on all nodes${differing.length === 0 ? ', none differ' : ''}\n`;
    const left = left_out === 0 ? [] : [`    … and ${left_out} more\n`];
    return [title, ...differing.flatMap(itemLines).map((line) => `${line}\n`), ...left];
  });
  return `${paintTitle(`${onOneLine(by)} = ${shown(group.value)}, ${group.nodes} nodes`)}\n${found.join('')}`;
}

function itemLines(item: DriftItem): readonly string[] {
  const has = item.value !== undefined;
  const common = has
    ? `${item.type === undefined ? shown(item.value) : 'equal'} on ${item.nodes}`
    : `absent on ${item.nodes}`;
  return [
    `    ${nameOf(item)}: ${common}`,
    ...item.others.map(({ value, changes, ...nodes }) =>
      paintChange(
        `      ${has ? '~' : '+'} ${changes === undefined ? shown(value) : changesText(changes)}: ${nodesText(nodes)}`,
      ),
    ),
    ...(item.others_left_out === 0 ? [] : [`      … and ${item.others_left_out} other values`]),
    ...(item.missing === null ? [] : [paintChange(`      - absent: ${nodesText(item.missing)}`)]),
  ];
}

const nameOf = ({ path, type, title, name, provider }: DriftItem): string =>
  onOneLine(path !== undefined ? path.join('.') : type !== undefined ? `${type}[${title}]` : `${name} (${provider})`);

const changesText = (changes: readonly DriftChange[]): string =>
  changes.map((change) => `${onOneLine(change.path.join('.'))} ${shown(change.old)} → ${shown(change.new)}`).join(', ');

const nodesText = ({ nodes, certnames }: Nodes): string =>
  `${certnames.map(onOneLine).join(', ')}${nodes > certnames.length ? ` and ${nodes - certnames.length} more` : ''}`;

const longestShown = 200;

function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : onOneLine(JSON.stringify(value));
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
