import { Command, Option } from 'commander';
import { askService } from './ask-service';
import { type ServiceFlags, withService } from './http-client';
import { onLines, plainJson } from './on-one-line';
import { paintChange } from './paint';

const formats = ['text', 'json', 'json-patch'] as const;

interface DiffFlags extends ServiceFlags {
  readonly part?: string;
  readonly runs?: true;
  readonly format?: (typeof formats)[number];
  readonly json?: true;
}

export function diffCommand(): Command {
  return withService(new Command('diff'))
    .argument('<a>', 'certname of a node, possibly with a moment: web1.example.com@yesterday')
    .argument('[b]', 'the other node or moment; the same node now, if absent')
    .option('--part <parts>', 'parts to compare, with commas: facts, resources, edges, packages')
    .addOption(new Option('--format <format>', 'default: text on a terminal, json otherwise').choices(formats))
    .addOption(new Option('--runs', 'compare the last run of the node with the run before it').conflicts('part'))
    .option('--json', 'the same as --format json')
    .action(async (a: string, b: string | undefined, flags: DiffFlags) => {
      const format = flags.json ? 'json' : (flags.format ?? (process.stdout.isTTY ? 'text' : 'json'));
      if (flags.runs && b !== undefined) throw new Error('--runs compares runs of one node: give one certname');
      const [path, sides] = flags.runs
        ? (['/nodeledger/v1/diff/runs', { certname: a }] as const)
        : (['/nodeledger/v1/diff', { a, b, part: flags.part }] as const);
      const answer = await (await askService(flags, path, { parameters: { ...sides, format } })).text();
      process.stdout.write(format === 'text' ? diffText(answer) : `${plainJson(answer)}\n`);
    });
}

export const diffText = (text: string): string => onLines(text).split('\n').map(paintChange).join('\n');
