import { Command, InvalidArgumentError, Option } from 'commander';
import { changeKinds, type Delivery, newSigningSecret, type SubscriptionJson } from '#changes';
import { countBetween } from './arguments';
import { askService, type QueryParameters, type Question } from './ask-service';
import { confirmChange } from './confirm';
import { type ServiceFlags, withService } from './http-client';
import { print } from './print';
import { readInput } from './read-input';
import { deliveryTable, subscriptionDetails, subscriptionTable } from './subscriptions/subscription-table';

interface CommonFlags extends ServiceFlags {
  readonly json?: true;
}

interface AddFlags extends CommonFlags {
  readonly kind?: readonly string[];
  readonly certname?: readonly string[];
  readonly environment?: readonly string[];
  readonly secretFile?: string;
  readonly from?: string;
}

export function subscriptionsCommand(): Command {
  return new Command('subscriptions')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(showCommand())
    .addCommand(removeCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(replayCommand())
    .addCommand(deliveriesCommand())
    .addCommand(testCommand());
}

const common = (name: string): Command =>
  withService(new Command(name)).option('--json', 'print JSON, even on a terminal');

const ofOne = (name: string): Command => common(name).argument('<name>', 'name of the subscription in the list');

function listCommand(): Command {
  return common('list')
    .description('list the subscriptions, and whether their receivers take the changes')
    .action(async (flags: CommonFlags) => {
      const found = await askJson<{ subscriptions: SubscriptionJson[] }>(flags, '');
      print(found, flags, () => subscriptionTable(found.subscriptions));
    });
}

function addCommand(): Command {
  return common('add')
    .description('send changes to a URL from now on; prints the secret if it makes one, which cannot be shown again')
    .argument('<name>', 'name of the subscription, such as chat-relay')
    .argument('<url>', 'URL of the receiver, such as https://receiver.example.com/changes')
    .addOption(new Option('--kind <kind>', 'only changes of this kind; repeat the flag for several').argParser(addKind))
    .option('--certname <name>', 'only changes of this node; repeat the flag for several', collect)
    .option('--environment <name>', 'only changes in this environment; repeat the flag for several', collect)
    .option('--secret-file <file>', 'file with the secret (whsec_…), - for standard input (default: a new secret)')
    .option('--from <time>', 'also changes since this time, such as "2 hours ago"')
    .action(async (name: string, url: string, flags: AddFlags) => {
      const given = flags.secretFile === undefined ? undefined : (await readInput(flags.secretFile)).trim();
      const secret = given ?? newSigningSecret();
      const added = await askJson<SubscriptionJson>(flags, '', {
        method: 'POST',
        body: JSON.stringify({ name, url, secret, filter: filterOf(flags), ...(flags.from && { from: flags.from }) }),
      });
      const shown = given === undefined ? { ...added, secret } : added;
      print(shown, flags, () => (given === undefined ? `${secret}\n` : subscriptionDetails(added)));
    });
}

function showCommand(): Command {
  return ofOne('show')
    .description('show a subscription with its filter and its last failure')
    .action(async (name: string, flags: CommonFlags) => show(flags, await askJson(flags, pathOf(name))));
}

function removeCommand(): Command {
  return ofOne('remove')
    .description('remove a subscription with its cursors and its log')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, flags: CommonFlags & { readonly yes?: true }) => {
      const question = `Remove the subscription ${name}?`;
      if (!(await confirmChange({ question, change: 'a subscription is removed', yes: flags.yes }))) return;
      await ask(flags, pathOf(name), { method: 'DELETE' });
      print({ removed: name }, flags, () => `${name} is removed\n`);
    });
}

function pauseCommand(): Command {
  return ofOne('pause')
    .description('send no changes until the subscription is resumed; they wait as long as the history keeps them')
    .action(async (name: string, flags: CommonFlags) => show(flags, await change(flags, name, 'pause')));
}

function resumeCommand(): Command {
  return ofOne('resume')
    .description('send the changes that wait, and further ones')
    .action(async (name: string, flags: CommonFlags) => show(flags, await change(flags, name, 'resume')));
}

function replayCommand(): Command {
  return ofOne('replay')
    .description('send the changes since a time again, and then further ones')
    .requiredOption('--from <time>', 'a time in ISO 8601, or such as "2 hours ago"')
    .action(async (name: string, flags: CommonFlags & { readonly from: string }) =>
      show(flags, await change(flags, name, 'replay', { from: flags.from })),
    );
}

const mostDeliveries = 1_000;

function deliveriesCommand(): Command {
  return ofOne('deliveries')
    .description('list attempts to deliver changes, the latest first')
    .option('--limit <count>', 'largest number of attempts to list', countBetween(1, mostDeliveries), 100)
    .option('--before <id>', 'only attempts before the one with this id', countBetween(1, Number.MAX_SAFE_INTEGER))
    .action(async (name: string, flags: CommonFlags & { readonly limit: number; readonly before?: number }) => {
      const found = await askJson<{ deliveries: Delivery[] }>(flags, `${pathOf(name)}/deliveries`, {
        parameters: { limit: flags.limit, before: flags.before },
      });
      print(found, flags, () => deliveryTable(found.deliveries));
    });
}

function testCommand(): Command {
  return ofOne('test')
    .description('send an event of the type nodeledger.test, and show what the receiver answers')
    .addHelpText('after', '\nExit codes: 0 the receiver answered 2xx, 1 otherwise\n')
    .action(async (name: string, flags: CommonFlags) => {
      const outcome = await change<{ delivered: boolean; ms: number; error: string | null }>(flags, name, 'test');
      const { delivered, ms, error } = outcome;
      print(outcome, flags, () => (delivered ? `delivered in ${ms} ms\n` : `not delivered: ${error ?? ''}\n`));
      if (!delivered) process.exitCode = 1;
    });
}

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];

function addKind(text: string, before: readonly string[] | undefined): string[] {
  if ((changeKinds as readonly string[]).includes(text)) return collect(text, before);
  throw new InvalidArgumentError(`expected one of ${changeKinds.join(', ')}`);
}

const filterOf = ({ kind, certname, environment }: AddFlags): object => ({
  ...(kind !== undefined && { kinds: kind }),
  ...(certname !== undefined && { certnames: certname }),
  ...(environment !== undefined && { environments: environment }),
});

const show = (flags: CommonFlags, found: SubscriptionJson): void =>
  print(found, flags, () => subscriptionDetails(found));

const change = <T = SubscriptionJson>(
  flags: ServiceFlags,
  name: string,
  verb: string,
  parameters: QueryParameters = {},
): Promise<T> => askJson<T>(flags, `${pathOf(name)}/${verb}`, { method: 'POST', parameters });

const pathOf = (name: string): string => `/${encodeURIComponent(name)}`;

const ask = (flags: ServiceFlags, path: string, question: Question): Promise<Response> =>
  askService(flags, `/nodeledger/v1/subscriptions${path}`, question);

const askJson = async <T = SubscriptionJson>(flags: ServiceFlags, path: string, question: Question = {}): Promise<T> =>
  (await (await ask(flags, path, question)).json()) as T;
