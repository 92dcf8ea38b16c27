import { Command } from 'commander';
import type { Letter } from '#admin';
import { isFault } from '#fault';
import { amount } from './amounts';
import { countFrom } from './arguments';
import { askService, type QueryParameters, type Question } from './ask-service';
import { confirmChange } from './confirm';
import { letterDetails, type LetterPage, letterTable } from './dead-letters/letter-table';
import { type ServiceFlags, withService } from './http-client';
import { print } from './print';

interface CommonFlags extends ServiceFlags {
  readonly json?: true;
}

interface FilterFlags {
  readonly command?: string;
  readonly certname?: string;
  readonly since?: string;
}

interface ListFlags extends CommonFlags, FilterFlags {
  readonly limit: number;
  readonly offset: number;
  readonly wide?: true;
}

interface ShowFlags extends CommonFlags {
  readonly payload?: true;
}

interface ManyFlags extends CommonFlags, FilterFlags {
  readonly all?: true;
}

interface PurgeFlags extends ManyFlags {
  readonly yes?: true;
}

interface RetryFlags extends ManyFlags {
  readonly wait: number;
}

export function deadLettersCommand(): Command {
  return new Command('dead-letters')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(retryCommand())
    .addCommand(purgeCommand());
}

const common = (name: string): Command =>
  withService(new Command(name)).option('--json', 'print JSON, even on a terminal');

const filtered = (command: Command): Command =>
  command
    .option('--command <name>', 'only letters of this command, such as replace_facts')
    .option('--certname <name>', 'only letters of this node')
    .option('--since <time>', 'only letters rejected at this time or later, ISO 8601');

function listCommand(): Command {
  return filtered(common('list'))
    .description('list the dead letters, the latest rejection first')
    .option('--limit <count>', 'largest number of letters to list', countFrom(0), 100)
    .option('--offset <count>', 'number of letters to skip', countFrom(0), 0)
    .option('--wide', 'do not cut certnames and errors')
    .action(async (flags: ListFlags) => {
      const page = await askJson<LetterPage>(flags, 'GET', '', {
        ...filterOf(flags),
        limit: flags.limit,
        offset: flags.offset,
      });
      print(page, flags, () => letterTable(page, flags.wide ? Infinity : process.stdout.columns || undefined));
    });
}

function showCommand(): Command {
  return common('show')
    .description('show one letter with its error, or its payload as it was received')
    .argument('<name>', 'name of the letter in the list, such as 3-17')
    .option('--payload', 'write the bytes of the payload instead (compressed if it was sent compressed)')
    .action(async (name: string, flags: ShowFlags) => {
      const path = encodeURIComponent(name);
      if (flags.payload) {
        process.stdout.write(Buffer.from(await (await askLetters(flags, `${path}/payload`)).arrayBuffer()));
        return;
      }
      const letter = await askJson<Letter>(flags, 'GET', path);
      print(letter, flags, () => letterDetails(letter));
    });
}

function retryCommand(): Command {
  return filtered(common('retry'))
    .description('submit commands again: by name, all that match the filters, or all with --all')
    .argument('[names...]', 'names of letters in the list, such as 3-17')
    .option('--all', 'all dead letters')
    .option('--wait <seconds>', 'how long to wait for the outcome', countFrom(0), 30)
    .action(async (names: string[], flags: RetryFlags) => {
      const retried = await total(names, flags, 'POST', { wait: flags.wait });
      const { retried: given = 0, applied = 0, rejected = 0, pending = 0 } = retried;
      print(
        { ...retried, retried: given, applied, rejected, pending },
        flags,
        () => `${given} retried: ${applied} applied, ${rejected} rejected again, ${pending} not decided yet\n`,
      );
      if (rejected > 0 || pending > 0) process.exitCode = 1;
    });
}

function purgeCommand(): Command {
  return filtered(common('purge'))
    .description('delete letters permanently: by name, all that match the filters, or all with --all')
    .argument('[names...]', 'names of letters in the list, such as 3-17')
    .option('--all', 'all dead letters')
    .option('-y, --yes', 'do not ask before letters are deleted by a filter or --all')
    .action(async (names: string[], flags: PurgeFlags) => {
      if (names.length === 0 && !(await confirmPurge(flags))) return;
      const purged = await total(names, flags, 'DELETE', {});
      const { purged: count = 0 } = purged;
      print({ purged: count }, flags, () => `${count} purged\n`);
    });
}

async function confirmPurge(flags: PurgeFlags): Promise<boolean> {
  const filter = requireFilter(flags);
  if (flags.yes) return true;
  const { total } = await askJson<LetterPage>(flags, 'GET', '', { ...filter, limit: 1 });
  if (total === 0) return true;
  const question = `Delete ${amount(total, 'dead letter')} permanently?`;
  return confirmChange({ question, change: 'dead letters are deleted by a filter or --all' });
}

function requireFilter(flags: ManyFlags): Readonly<Record<string, string>> {
  const filter = filterOf(flags);
  if (Object.keys(filter).length > 0 || flags.all) return filter;
  throw new Error('name the letters, or give --command, --certname, --since or --all');
}

type Counts = Record<string, number>;

async function total(
  names: readonly string[],
  flags: ManyFlags,
  method: 'POST' | 'DELETE',
  parameters: Readonly<Record<string, number>>,
): Promise<Counts> {
  const filter = filterOf(flags);
  const verb = method === 'POST' ? '/retry' : '';
  if (names.length === 0) {
    return askJson<Counts>(flags, method, verb.slice(1), {
      ...requireFilter(flags),
      ...parameters,
      ...(flags.all && { all: 'true' }),
    });
  }
  if (Object.keys(filter).length > 0 || flags.all) throw new Error('give either names or filters, not both');
  const sums: Counts = {};
  for (const name of names) {
    try {
      const counts = await askJson<Counts>(flags, method, `${encodeURIComponent(name)}${verb}`, parameters);
      for (const [key, count] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + count;
    } catch (error) {
      // If a dead letter no longer exists, continues with the others.
      if (!isFault(error) || error.code !== 'cli.refused') throw error;
      process.stderr.write(`nodeledger: ${error.message}\n`);
      process.exitCode = 1;
    }
  }
  return sums;
}

const askLetters = (flags: ServiceFlags, path: string, question: Question = {}): Promise<Response> =>
  askService(flags, `/nodeledger/v1/dead-letters${path === '' ? '' : `/${path}`}`, question);

const askJson = async <T>(
  flags: ServiceFlags,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  parameters: QueryParameters = {},
): Promise<T> => (await (await askLetters(flags, path, { method, parameters })).json()) as T;

const filterOf = ({ command, certname, since }: FilterFlags): Readonly<Record<string, string>> => ({
  ...(command !== undefined && { command }),
  ...(certname !== undefined && { certname }),
  ...(since !== undefined && { since }),
});
