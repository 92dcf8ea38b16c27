import {
  type Completed,
  type CompletedCommand,
  type CompletedFlag,
  settingFlags,
  withSubcommands,
} from './completed-command';

/** The script supports bash 3.2 and later, and does not need the package bash-completion. */
export function bashScript(program: CompletedCommand): string {
  const commands = withSubcommands(program);
  const below = commands.slice(1).map(({ path }) => `'${path.join(' ')}'`);
  return `# Completion of nodeledger for bash, printed by "nodeledger completion bash".
_nodeledger() {
  local word=\${COMP_WORDS[COMP_CWORD]} flag=\${COMP_WORDS[COMP_CWORD - 1]} at=nodeledger i
  local verbs='' flags='' argument='' settings=''
  # Bash splits --flag=value into three words.
  if [[ $word == = ]]; then word=''
  elif [[ $flag == = ]]; then flag=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${below.join(' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case $at in
${commands.map(branchOf).join('')}  esac
  COMPREPLY=()
  if [[ $word != -* ]]; then
    case "$at $flag" in
${commands.flatMap(({ path, flags }) => flags.flatMap((flag) => valueBranch(`${path.join(' ')} `, flag))).join('')}    esac
    [[ $settings == yes ]] && case $flag in
${settingFlags.flatMap((flag) => valueBranch('', flag)).join('')}    esac
  fi
  if [[ $settings == yes ]]; then flags="$flags ${namesOf(settingFlags)}"; fi
  if [[ $word == -* ]]; then _nodeledger_words "$flags" "$word"
  elif [[ -n $verbs ]]; then _nodeledger_words "$verbs" "$word"
  elif [[ $argument != path ]]; then _nodeledger_words "$argument" "$word"
  fi
}
# Bash completes names of files where there are no words, unless this option is turned off (bash 4 and later).
_nodeledger_words() {
  compopt +o default 2>/dev/null
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}
complete -o default -F _nodeledger nodeledger
`;
}

const namesOf = (flags: readonly CompletedFlag[]): string => flags.flatMap(({ names }) => names).join(' ');

function branchOf({ path, verbs, flags, argument, takesSettings }: CompletedCommand): string {
  const parts = [
    verbs.length > 0 && `verbs='${verbs.map((verb) => verb.path.at(-1)).join(' ')}'`,
    `flags='${namesOf(flags)}'`,
    argument !== 'unknown' && `argument='${argument === 'path' ? 'path' : argument.words.join(' ')}'`,
    takesSettings && 'settings=yes',
  ];
  return `    '${path.join(' ')}') ${parts.filter((part) => part !== false).join(' ')} ;;\n`;
}

function valueBranch(before: string, { names, value }: CompletedFlag): string[] {
  if (value === undefined) return [];
  return [`      ${names.map((name) => `'${before}${name}'`).join(' | ')}) ${offer(value)}return ;;\n`];
}

const offer = (value: Completed): string =>
  value === 'path' ? '' : `_nodeledger_words '${value === 'unknown' ? '' : value.words.join(' ')}' "$word"; `;
