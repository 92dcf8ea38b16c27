import { readFile } from 'node:fs/promises';
import { tokenHeaders } from '#config';
import { Fault, isFault } from '#fault';
import {
  compareStores,
  type CopyOutcome,
  copyStore,
  Peer,
  type PeerOptions,
  sampleOf,
  Store,
  type StoreComparison,
  Submitter,
} from '#migrate';
import { amount, formatCount, formatDuration } from '../amounts';
import { columns } from '../columns';
import { stoppable, type StoppableRun } from '../maintenance/interruption';
import { onOneLine } from '../on-one-line';
import { print } from '../print';

export interface CopyFlags {
  readonly from: string;
  readonly fromCert?: string;
  readonly fromKey?: string;
  readonly fromCa?: string;
  readonly url: string;
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
  readonly concurrency: number;
  readonly sample: number;
  readonly compare?: true;
  readonly json?: true;
}

export interface MigrateOutcome {
  readonly copied?: CopyOutcome & { readonly submitted: number; readonly seconds: number };
  readonly comparison: StoreComparison;
  readonly equal: boolean;
}

const mostShown = 20;

/**
 * Copies the data of a PuppetDB, and compares the answers from both servers. With `--compare`, only compares. Sets the
 * exit code to 1 if the answers differ or a document could not be copied, and to 130 if the user stopped the copy.
 */
export async function copyServer(flags: CopyFlags): Promise<void> {
  const outcome = await stoppable(
    'What was submitted stays. Run the same command again: it copies what is missing.',
    (run) => copyAndCompare(flags, run),
    (error) => !isFault(error) || error.kind === 'busy',
  );
  if (outcome === undefined) return;
  print(outcome, flags, () => migrateLines(outcome));
  if (!outcome.equal) process.exitCode = 1;
}

async function copyAndCompare(flags: CopyFlags, run: StoppableRun): Promise<MigrateOutcome> {
  const { display, interruption } = run;
  const peers: Peer[] = [];
  const open = (options: Pick<PeerOptions, 'url' | 'name' | 'tls' | 'headers'>): Peer => {
    const { signal } = interruption;
    const peer = new Peer({ ...options, connections: flags.concurrency + 2, signal, onRetry: display.say });
    peers.push(peer);
    return peer;
  };
  try {
    const from = open({
      url: flags.from,
      name: 'the source',
      ...(await tlsOf(flags.fromCert, flags.fromKey, flags.fromCa)),
    });
    const to = open({
      url: flags.url,
      name: 'the target',
      headers: tokenHeaders(),
      ...(await tlsOf(flags.cert, flags.key, flags.ca)),
    });
    const [source, target] = [new Store(from), new Store(to)];
    display.say(
      `from ${flags.from} (version ${await source.version()}) to ${flags.url} (version ${await target.version()})`,
    );
    const copied = flags.compare ? undefined : await copy(source, target, to, flags, run);
    const comparison = await compareStores(source, target, await sampleOf(source, flags.sample));
    const equal =
      comparison.differences.length === 0 &&
      comparison.counts.every((row) => row.source === row.target) &&
      (copied?.failures.length ?? 0) === 0;
    return { ...(copied && { copied }), comparison, equal };
  } finally {
    for (const peer of peers) peer.close();
  }
}

async function copy(
  source: Store,
  target: Store,
  to: Peer,
  { concurrency }: CopyFlags,
  { display, interruption: { signal } }: StoppableRun,
): Promise<NonNullable<MigrateOutcome['copied']>> {
  const startedAt = performance.now();
  const submitter = new Submitter(to);
  const outcome = await copyStore({
    source,
    target,
    submitter,
    concurrency,
    signal,
    onProgress: (done, total) => display.show({ step: 'copy', done, total, unit: 'nodes' }),
  });
  display.say(`${amount(submitter.submitted, 'command')} submitted; waiting until queries show them`);
  await submitter.shown(() => display.say('still waiting: the target applies what was submitted'));
  return { ...outcome, submitted: submitter.submitted, seconds: (performance.now() - startedAt) / 1000 };
}

async function tlsOf(
  cert: string | undefined,
  key: string | undefined,
  ca: string | undefined,
): Promise<Pick<PeerOptions, 'tls'>> {
  const read = async (file: string): Promise<Buffer> =>
    readFile(file).catch((cause: Error) => {
      throw new Fault('malformed', 'migrate.address', `${file} cannot be read: ${cause.message}`, { cause });
    });
  if ((cert === undefined) !== (key === undefined)) {
    throw new Fault('malformed', 'migrate.address', 'a client certificate and its key belong together', {
      hint: 'Give both: --from-cert and --from-key, or --cert and --key.',
    });
  }
  return {
    tls: {
      ...(cert !== undefined && { cert: await read(cert) }),
      ...(key !== undefined && { key: await read(key) }),
      ...(ca !== undefined && { ca: await read(ca) }),
    },
  };
}

export function migrateLines({ copied, comparison, equal }: MigrateOutcome): string {
  const { counts, nodes, documents, differences } = comparison;
  const parts: string[] = [];
  if (copied !== undefined) {
    parts.push(
      `${amount(copied.nodes, 'node')} read, ${amount(copied.submitted, 'command')} submitted, ${amount(copied.present, 'document')} already present, in ${formatDuration(copied.seconds)}\n`,
      ...some(
        copied.failures.map(({ certname, document, problem }) => `not copied: ${document} of ${certname}: ${problem}`),
      ),
    );
    if (copied.expired > 0) {
      parts.push(
        `${amount(copied.expired, 'node')} expired at the source: the next cleaning of the target expires them, too (NODELEDGER_NODE_TTL)\n`,
      );
    }
  }
  parts.push(
    '\n',
    columns([
      ['', 'SOURCE', 'TARGET', 'DIFFERENCE'],
      ...counts.map(({ entity, source, target }) => [
        entity,
        formatCount(source),
        formatCount(target),
        source === target ? '-' : formatCount(target - source),
      ]),
    ]),
    `\n${amount(documents, 'document')} of ${amount(nodes, 'node')} compared: ${differences.length === 0 ? 'all are equal' : `${formatCount(differences.length)} differ`}\n`,
    ...some(differences),
    equal
      ? 'Both sides answer the same.\n'
      : 'The two sides differ. Commands that the source got meanwhile are one reason: run it again.\n',
  );
  return parts.join('');
}

const some = (lines: readonly string[]): string[] => [
  ...lines.slice(0, mostShown).map((line) => `  ${onOneLine(line)}\n`),
  ...(lines.length > mostShown ? [`  and ${formatCount(lines.length - mostShown)} more\n`] : []),
];
