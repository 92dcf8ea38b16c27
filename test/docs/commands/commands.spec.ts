/**
 * Tests that npm scripts, verbs, flags, settings and files on the pages exist. A table lists the commands that no test
 * runs.
 */
import type { Command } from 'commander';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileKey, flagOf, settingTable, tokenKey } from '#config';
import type { commandLine } from '../../../apps/cli/command-line';
import { builtProgram } from '../../support/built';
import { notRun } from './not-run';
import { allCommands, blocksOf, commandsOf, readPages } from './page-commands';

const root = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = readPages();

interface Mention {
  readonly page: string;
  readonly text: string;
}

/** Code inside sentences, and the commands of blocks. */
const code: readonly Mention[] = pages.flatMap((page) => {
  const prose = page.text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll(/\s+/g, ' '));
  const commands = blocksOf(page)
    .flatMap(commandsOf)
    .map(({ text }) => text);
  return [...inline, ...commands].map((text) => ({ page: page.name, text }));
});

/** Collects all of them, so that a failure names each. */
function expectNone(wrong: readonly (Mention | string)[]): void {
  expect(wrong).toEqual([]);
}

test('blocks have known languages; those of commands have none, or sh', () => {
  const languages = new Set(pages.flatMap(blocksOf).map(({ language }) => language));
  expect([...languages].sort()).toEqual(['', 'ini', 'json', 'python', 'sh', 'sql', 'text', 'ts', 'yaml']);
});

describe('commands that do not run', () => {
  const commands = allCommands();
  it.each(notRun.map((entry) => [entry.pattern.source, entry] as const))('%s', (_, { pattern, reason, instead }) => {
    expect(commands.filter(({ text }) => pattern.test(text))).not.toEqual([]);
    expect(instead !== undefined).toBe(reason === 'another test');
    if (instead !== undefined) expect(read(instead[0])).toContain(instead[1]);
  });

  it('each command has at most one entry', () => {
    expectNone(commands.filter(({ text }) => notRun.filter(({ pattern }) => pattern.test(text)).length > 1));
  });
});

test('npm scripts exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/npm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g)].map(([, script, short]) => ({
      page: name,
      text: script ?? short ?? '',
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  expectNone(named.filter(({ text }) => !(text in scripts)));
});

test('files that commands name exist', () => {
  const files = code.flatMap(({ page, text }) =>
    [
      ...text.matchAll(
        /\b(?:node|docker build -f|kubectl apply -f|jest|python3) ((?:test|deploy|scripts|dist|libs)\/[\w./-]+)/g,
      ),
    ].map(([, file = '']) => ({ page, text: file })),
  );
  expect(files.length).toBeGreaterThan(5);
  // Jest takes the beginning of a path.
  const isThere = (file: string): boolean => {
    if (existsSync(join(root, file))) return true;
    const folder = join(root, file, '..');
    return existsSync(folder) && readdirSync(folder).some((name) => join(folder, name).startsWith(join(root, file)));
  };
  expectNone(files.filter(({ text }) => !isThere(text)));
});

test('settings exist', () => {
  const settings = new Set([...settingTable.map(({ key }) => key), fileKey, tokenKey]);
  const forTests = ['package.json', '.ci/run', ...sourcesIn('test')].map(read).join('\n');
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\bNODELEDGER_[A-Z0-9_]+/g)].map(([key]) => ({ page: name, text: key })),
  );
  expect(named.length).toBeGreaterThan(100);
  const exists = (key: string): boolean =>
    settings.has(key) ||
    new RegExp(`\\b${key}\\b`).test(forTests) ||
    (key.endsWith('_') && [...settings].some((one) => one.startsWith(key)));
  expectNone(named.filter(({ text }) => !exists(text)));
});

function sourcesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.(ts|mjs|cjs)$/.test(name)).map((name) => join(folder, name));
}

describe('verbs', () => {
  let program: Command;
  beforeAll(async () => {
    const built = join(dirname(builtProgram('cli')), 'command-line.js');
    program = await ((await import(built)) as { commandLine: typeof commandLine }).commandLine(() => true);
  });
  const settingFlags = new Set([...settingTable.map(({ key }) => flagOf(key)), '--config']);

  /** Returns the error of the command line, or undefined if it accepts all words. */
  function refusal(words: readonly string[]): string | undefined {
    let command = program;
    let at = 0;
    for (; command.commands.length > 0 && at < words.length; at++) {
      const word = words[at] ?? '';
      if (/^(-|…|VERB$)/.test(word)) break;
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) return `no verb ${word}`;
      command = next;
    }
    const takesSettings = command.registeredArguments.some((argument) => argument.name() === 'settings');
    const flags =
      words
        .slice(at)
        .join(' ')
        .match(/(?<![\w'"=-])--?[a-z][\w-]*/g) ?? [];
    const isKnown = (flag: string): boolean =>
      ['--help', '--version'].includes(flag) ||
      (command.name() === 'start' && flag === '--components') ||
      command.options.some(({ short, long }) => [short, long].includes(flag)) ||
      (takesSettings && settingFlags.has(flag));
    const unknown = flags.filter((flag) => !isKnown(flag));
    return unknown.length === 0 ? undefined : `${command.name()} has no ${unknown.join(' ')}`;
  }

  it('the pages name only verbs and flags that exist', () => {
    const start =
      /^(?:\S+=\S+ |sudo -u \w+ |.* && |systemd-run .* |(?:[\d*]+ ){5}\w+ +)*(?:\/usr\/local\/bin\/)?(?:npx nodeledger|npm run (?:--silent )?nodeledger --|nodeledger) ((?![\w:/.]*:)[\s\S]*)$/;
    const wrong: Mention[] = [];
    let checked = 0;
    for (const { page, text } of code) {
      // Text after a pipe or a semicolon belongs to another program.
      const words = start.exec(text)?.[1]?.split(/\s+/);
      if (words === undefined || /^(docker|useradd|install|ln) /.test(text)) continue;
      checked++;
      const why = refusal(words.map((word) => word.replaceAll(/[[\]]/g, '')));
      if (why !== undefined) wrong.push({ page, text: `${text}: ${why}` });
    }
    expectNone(wrong);
    expect(checked).toBeGreaterThan(60);
  });

  it('a verb or a flag that does not exist is found', () => {
    expect(refusal(['verifies'])).toBe('no verb verifies');
    expect(refusal(['dead-letters', 'retry', '3-17', '--everything'])).toBe('retry has no --everything');
    expect(refusal(['backup', 'DIR', '--data-dirr', 'x'])).toBe('backup has no --data-dirr');
    expect(refusal(['backup', 'DIR', '--data-dir', 'x'])).toBeUndefined();
  });
});
