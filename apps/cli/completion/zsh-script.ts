import {
  type Completed,
  type CompletedCommand,
  type CompletedFlag,
  settingFlags,
  withSubcommands,
} from './completed-command';

/** Users save the script as `_nodeledger` in a folder of `fpath`, or evaluate it after `compinit`. */
export function zshScript(program: CompletedCommand): string {
  const commands = withSubcommands(program);
  const below = commands.slice(1).map(({ path }) => quoted(path.join(' ')));
  return `#compdef nodeledger
# Completion of nodeledger for zsh, printed by "nodeledger completion zsh".
_nodeledger() {
  local at=nodeledger flag=$words[CURRENT-1] argument='' settings='' i
  local -a verbs flags values
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
      (${below.join('|')}) at="$at $words[i]" ;;
    esac
  done
  case $at in
${commands.map(branchOf).join('')}  esac
  if [[ $settings == yes ]]; then
    flags+=(
${described(settingFlags)}    )
  fi
  # --flag=value is one word.
  if compset -P 1 '--*='; then flag=\${IPREFIX%=}; fi
  if [[ $PREFIX != -* ]]; then
    case "$at $flag" in
${commands.flatMap(({ path, flags }) => flags.flatMap((flag) => valueBranch(`${path.join(' ')} `, flag))).join('')}    esac
    [[ $settings == yes ]] && case $flag in
${settingFlags.flatMap((flag) => valueBranch('', flag)).join('')}    esac
  fi
  if [[ $PREFIX == -* ]]; then _describe -o flag flags
  elif ((\${#verbs})); then _describe verb verbs
  elif [[ $argument == path ]]; then _files
  elif [[ -n $argument ]]; then values=(\${=argument}); _describe value values
  fi
}
if [[ \${funcstack[1]} == _nodeledger ]]; then _nodeledger "$@"
else compdef _nodeledger nodeledger
fi
`;
}

function branchOf({ path, verbs, flags, argument, takesSettings }: CompletedCommand): string {
  const lines = [
    verbs.length > 0 &&
      `verbs=(\n${verbs.map((verb) => `        ${quoted(`${verb.path.at(-1)}:${verb.summary}`)}\n`).join('')}      )`,
    `flags=(\n${described(flags)}      )`,
    argument !== 'unknown' && `argument=${quoted(argument === 'path' ? 'path' : argument.words.join(' '))}`,
    takesSettings && 'settings=yes',
  ];
  const all = lines.filter((line) => line !== false).map((line) => `      ${line}\n`);
  return `    (${quoted(path.join(' '))})\n${all.join('')}      ;;\n`;
}

const described = (flags: readonly CompletedFlag[]): string =>
  flags.flatMap(({ names, summary }) => names.map((name) => `        ${quoted(`${name}:${summary}`)}\n`)).join('');

function valueBranch(before: string, { names, value }: CompletedFlag): string[] {
  if (value === undefined) return [];
  return [`      (${names.map((name) => quoted(before + name)).join('|')}) ${offer(value)}return ;;\n`];
}

function offer(value: Completed): string {
  if (value === 'path') return '_files; ';
  return value === 'unknown' ? '' : `values=(${value.words.join(' ')}); _describe value values; `;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
