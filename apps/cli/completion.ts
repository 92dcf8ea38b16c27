import { Argument, Command } from 'commander';
import { bashScript } from './completion/bash-script';
import { completedCommand, type CompletedCommand } from './completion/completed-command';
import { fishScript } from './completion/fish-script';
import { zshScript } from './completion/zsh-script';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } satisfies Record<
  string,
  (program: CompletedCommand) => string
>;
type Shell = keyof typeof scripts;

const help = `
To complete with TAB in every new shell, store the script, and store it again after an upgrade:
  bash  nodeledger completion bash > ~/.local/share/bash-completion/completions/nodeledger
        (without the package bash-completion: store it elsewhere, and source it in ~/.bashrc)
  zsh   nodeledger completion zsh > ~/.zfunc/_nodeledger
        (in ~/.zshrc, before compinit: fpath+=~/.zfunc)
  fish  nodeledger completion fish > ~/.config/fish/completions/nodeledger.fish
`;

/** `program` returns the command line with all verbs loaded. */
export function completionCommand(program: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action(async (shell: Shell) => {
      process.stdout.write(scripts[shell](completedCommand(await program())));
    });
}
