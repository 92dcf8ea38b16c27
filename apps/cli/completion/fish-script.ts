import {
  type Completed,
  type CompletedCommand,
  type CompletedFlag,
  settingFlags,
  withSubcommands,
} from './completed-command';

export function fishScript(program: CompletedCommand): string {
  const commands = withSubcommands(program);
  const below = commands.slice(1).map(({ path }) => quoted(path.join(' ')));
  const settled = commands.filter(({ takesSettings }) => takesSettings).map(({ path }) => quoted(path.join(' ')));
  return `# Completion of nodeledger for fish, printed by "nodeledger completion fish".
function __nodeledger_at --description 'Whether the words before the cursor lead to one of these commands'
  set -l at nodeledger
  for word in (commandline -opc)[2..-1]
    contains -- "$at $word" ${below.join(' ')}
    and set at "$at $word"
  end
  contains -- $at $argv
end
complete -c nodeledger -f
${commands.flatMap((command) => [...verbLines(command), ...argumentLines(command), ...flagLines(whenAt(quoted(command.path.join(' '))), command.flags)]).join('')}${flagLines(whenAt(settled.join(' ')), settingFlags).join('')}`;
}

const whenAt = (commands: string): string => quoted(`__nodeledger_at ${commands}`);

const verbLines = ({ path, verbs }: CompletedCommand): string[] =>
  verbs.map(
    (verb) =>
      `complete -c nodeledger -n ${whenAt(quoted(path.join(' ')))} -a ${verb.path.at(-1)} -d ${quoted(verb.summary)}\n`,
  );

function argumentLines({ path, argument }: CompletedCommand): string[] {
  if (argument === 'unknown') return [];
  const offered = argument === 'path' ? '-F' : `-a ${quoted(argument.words.join(' '))}`;
  return [`complete -c nodeledger -n ${whenAt(quoted(path.join(' ')))} ${offered}\n`];
}

const flagLines = (when: string, flags: readonly CompletedFlag[]): string[] =>
  flags.map(({ names, summary, value }) => {
    const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
    return `complete -c nodeledger -n ${when} ${spelled.join(' ')}${valueOf(value)} -d ${quoted(summary)}\n`;
  });

function valueOf(value: Completed | undefined): string {
  if (value === undefined) return '';
  if (value === 'path') return ' -r -F';
  return value === 'unknown' ? ' -x' : ` -x -a ${quoted(value.words.join(' '))}`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
