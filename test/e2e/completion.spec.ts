/**
 * Tests `nodeledger completion` in real shells on a terminal: the test types words and TAB, and checks the command that
 * the shell then runs.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellSkipped } from '../support/tell-skipped';
import { until } from '../support/until';
import { runVerb } from './verb';

const prompt = 'ready>';

interface Shell {
  readonly name: 'bash' | 'zsh' | 'fish';
  /** The command that starts the shell; `init` is the content of its first file. */
  readonly command: (init: string) => string;
  /** Sets the prompt and a program that prints its arguments, then loads the script. */
  readonly init: (script: string) => string;
  readonly initFile: string;
}

const shells: readonly Shell[] = [
  {
    name: 'bash',
    command: (init) => `bash --noprofile --rcfile ${init} -i`,
    init: (script) => `PS1='${prompt}'\nnodeledger() { printf '<%s>\\n' "$*"; }\nsource ${script}\n`,
    initFile: 'bashrc',
  },
  {
    name: 'zsh',
    command: () => 'zsh -i',
    init: (script) =>
      `PS1='${prompt}'\nautoload -Uz compinit\ncompinit -u -D\nnodeledger() { printf '<%s>\\n' "$*" }\nsource ${script}\n`,
    initFile: '.zshrc',
  },
  {
    name: 'fish',
    command: (init) => `fish --no-config --init-command 'source ${init}'`,
    init: (script) =>
      `function fish_prompt; echo '${prompt}'; end\nfunction nodeledger; printf '<%s>\\n' "$argv"; end\nsource ${script}\n`,
    initFile: 'init.fish',
  },
];

/** The text before TAB, and the arguments of the completed line. */
const lines: readonly (readonly [typed: string, completed: string])[] = [
  ['que', 'query'],
  ['dead-letters ret', 'dead-letters retry'],
  ['dead-letters retry --certn', 'dead-letters retry --certname'],
  ['query --expl', 'query --explain'],
  ['query --format nd', 'query --format ndjson'],
  ['query --limit 5 --format cs', 'query --limit 5 --format csv'],
  ['query --format=nd', 'query --format=ndjson'],
  ['start --data-d', 'start --data-dir'],
  ['start --dialect pup', 'start --dialect puppetdb'],
  ['snapshot --node-t', 'snapshot --node-ttl'],
  ['completion fi', 'completion fish'],
  ['submit facts-of', 'submit facts-of-web1.json'],
  ['query --file facts-of', 'query --file facts-of-web1.json'],
  ['start --tls-ca facts-of', 'start --tls-ca facts-of-web1.json'],
  // File names that are neither numbers nor certnames.
  ['query --limit facts-of', 'query --limit facts-of'],
  ['facts facts-of', 'facts facts-of'],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodeledger-completion-'));
  await writeFile(join(folder, 'facts-of-web1.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(shells)('$name', (shell) => {
  const installed = isInstalled(shell.name) && isInstalled('script');
  if (!installed) tellSkipped(`${shell.name} or script is not installed`, 'NODELEDGER_REQUIRE_SHELLS');

  (installed ? test : test.skip)(
    'completes verbs, flags, values and files',
    async () => {
      const { code, stdout, stderr } = await runVerb(['completion', shell.name], folder);
      expect([code, stderr]).toEqual([0, '']);
      const script = join(folder, `nodeledger.${shell.name}`);
      await writeFile(script, stdout);
      const init = join(folder, shell.initFile);
      await writeFile(init, shell.init(script));
      expect(await typed(shell.command(init))).toEqual(lines.map(([, completed]) => completed));
    },
    60_000,
  );
});

/** Types the lines into a shell on a terminal, each with TAB at its end. Returns the command that each line ran. */
async function typed(shell: string): Promise<string[]> {
  const terminal = spawn('script', ['-qfec', shell, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ZDOTDIR: folder, TERM: 'dumb', LC_ALL: 'C.UTF-8' },
  });
  let output = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise((resolve) => terminal.once('close', resolve));
  const ran = (): string[] => [...output.matchAll(/<([^<>]*)>\r?\n/g)].map(([, line = '']) => line.trim());
  try {
    for (const [index, [line]] of lines.entries()) {
      // Escape sequences of the terminal may follow the prompt.
      await until(() => new RegExp(`${prompt}[^\\n]*$`).test(output));
      output += '\n';
      terminal.stdin.write(`nodeledger ${line}\t\r`);
      await until(() => ran().length > index);
    }
  } catch (error) {
    throw new Error(`the terminal shows:\n${output}`, { cause: error });
  } finally {
    terminal.stdin.end('exit\r');
    const late = setTimeout(() => terminal.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(late);
  }
  return ran();
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('an unknown shell is refused with the names of those that are known', async () => {
  const { code, stderr } = await runVerb(['completion', 'tcsh'], folder);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Allowed choices are bash, zsh, fish') as string]);
});
