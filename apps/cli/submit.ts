import { Command } from 'commander';
import { Fault } from '#fault';
import { sliceMembers } from '#wire';
import { countFrom } from './arguments';
import { askService } from './ask-service';
import { type ServiceFlags, withService } from './http-client';
import { print } from './print';
import { readInput } from './read-input';

interface SubmitFlags extends ServiceFlags {
  readonly json?: true;
  readonly command?: string;
  readonly version?: number;
  readonly wait: number;
}

/**
 * Keys are members by which a kind of document can be recognized. Values are the command that submits such a document,
 * and the newest version of this command.
 */
const commandOfMember: Readonly<Record<string, readonly [command: string, version: number]>> = {
  values: ['replace_facts', 5],
  resources: ['replace_catalog', 9],
  report_format: ['store_report', 8],
  inputs: ['replace_catalog_inputs', 1],
};

export function commandOf(text: string): readonly [command: string, version: number] | undefined {
  // `resources` is last, because reports in version 8 have this member, too.
  const { found } = sliceMembers(text, Object.keys(commandOfMember)) ?? {};
  const member = ['report_format', 'values', 'inputs', 'resources'].find((name) => found?.has(name));
  return member === undefined ? undefined : commandOfMember[member];
}

export function submitCommand(): Command {
  return withService(new Command('submit'))
    .argument('<file>', 'a document in the wire format of its command; - reads standard input')
    .option('--command <name>', 'the command, such as replace_facts (default: recognized from the document)')
    .option('--version <number>', 'version of the command (default: the newest)', countFrom(1))
    .option('--wait <seconds>', 'how long to wait until queries show the document', countFrom(0), 30)
    .option('--json', 'print JSON, even on a terminal')
    .action(async (file: string, flags: SubmitFlags) => {
      const text = await readInput(file);
      const likely = commandOf(text);
      const command = flags.command ?? likely?.[0];
      const version = flags.version ?? likely?.[1];
      if (command === undefined || version === undefined)
        throw new Error(`the command of ${file} cannot be recognized: give --command and --version`);
      const { found } = sliceMembers(text, ['certname']) ?? {};
      const certname = JSON.parse(found?.get('certname') ?? 'null') as unknown;
      if (typeof certname !== 'string') throw new Error(`${file} has no certname`);
      const outcome = await submit({ command, version, certname }, text, flags);
      print(outcome, flags, () => submitText(`${command} ${version} of ${certname}`, outcome, flags.wait));
      if (flags.wait > 0 && (outcome.timed_out === true || outcome.error !== undefined)) process.exitCode = 1;
    });
}

export interface Submitted {
  readonly uuid: string;
  readonly processed?: boolean;
  readonly timed_out?: boolean;
  readonly error?: string;
}

/**
 * If `wait` (seconds) is above 0, waits until the command is applied or rejected. Throws the faults of `askService`.
 */
export async function submit(
  header: { readonly command: string; readonly version: number; readonly certname: string },
  payload: string,
  flags: ServiceFlags & { readonly wait: number },
): Promise<Submitted> {
  const parameters = { ...header, ...(flags.wait === 0 ? {} : { secondsToWaitForCompletion: flags.wait }) };
  const answer = await askService(flags, '/pdb/cmd/v1', { method: 'POST', parameters, body: payload, accepts: [503] });
  const submitted = (await answer.json()) as Partial<Submitted>;
  if (submitted.uuid === undefined)
    throw new Fault('busy', 'cli.refused', submitted.error ?? `the service answered ${answer.status}`);
  return submitted as Submitted;
}

export function submitText(what: string, { uuid, processed, error }: Submitted, wait: number): string {
  const fate =
    error !== undefined
      ? `was rejected: ${error}`
      : processed === true
        ? 'is applied: queries show it'
        : wait === 0
          ? 'is stored, and will be applied'
          : `is stored; it was not applied within ${wait} s`;
  return `${what} ${fate} (${uuid})\n`;
}
