import type { Argument, Command, Option } from 'commander';
import { flagOf, settingTable } from '#config';

/** Completions for a value: some words, paths of files, or nothing. */
export type Completed = { readonly words: readonly string[] } | 'path' | 'unknown';

export interface CompletedFlag {
  /** The long form, such as `--format`, then the short form if the flag has one. */
  readonly names: readonly string[];
  readonly summary: string;
  readonly value?: Completed;
}

export interface CompletedCommand {
  /** The words that the user types, such as `nodeledger`, `log`, `status`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly verbs: readonly CompletedCommand[];
  readonly flags: readonly CompletedFlag[];
  readonly argument: Completed;
  /** Whether the command also accepts the settings of the service as flags. */
  readonly takesSettings: boolean;
}

const pathName = /^(file|dir|directory|folder)$/;
const settings = 'settings';

export function completedCommand(command: Command, above: readonly string[] = []): CompletedCommand {
  const help = command.createHelp();
  const path = [...above, command.name()];
  const [argument] = command.registeredArguments;
  return {
    path,
    summary: command.description(),
    verbs: help.visibleCommands(command).map((verb) => completedCommand(verb, path)),
    flags: help.visibleOptions(command).map(completedFlag),
    argument: argument === undefined ? 'unknown' : completedArgument(argument),
    takesSettings: command.registeredArguments.some((one) => one.name() === settings),
  };
}

export const settingFlags: readonly CompletedFlag[] = [
  { names: ['--config'], summary: 'read settings from this YAML file', value: 'path' },
  ...settingTable.map(({ key, meaning, choices, isPath }) => ({
    names: [flagOf(key)],
    summary: meaning,
    value: choices !== undefined ? { words: choices } : isPath ? ('path' as const) : ('unknown' as const),
  })),
];

export const withSubcommands = (command: CompletedCommand): readonly CompletedCommand[] => [
  command,
  ...command.verbs.flatMap(withSubcommands),
];

function completedFlag({ long, short, description, flags, argChoices, required, optional }: Option): CompletedFlag {
  const names = [long, short].filter((name) => name !== undefined);
  if (!required && !optional) return { names, summary: description };
  const placeholder = /[<[]([\w-]+)/.exec(flags)?.[1] ?? '';
  return { names, summary: description, value: completed(placeholder, argChoices) };
}

const completedArgument = (argument: Argument): Completed => completed(argument.name(), argument.argChoices);

function completed(name: string, choices: readonly string[] | undefined): Completed {
  if (choices !== undefined) return { words: choices };
  return pathName.test(name) ? 'path' : 'unknown';
}
