/**
 * Submits the documents that the target does not have. Commands for one node keep their order. An interrupted copy can
 * simply be repeated, because the target reports which documents it has. Submitting a document twice changes nothing.
 */
import { isFault } from '#fault';
import {
  catalogCommand,
  factsCommand,
  inputsCommand,
  reportCommand,
  stateCommands,
  type WireCommand,
} from './documents';
import type { DocumentKey, Entity, SourceNode, Store } from './store';
import type { Submitter } from './submitter';

export interface CopyOptions {
  readonly source: Store;
  readonly target: Store;
  readonly submitter: Submitter;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface CopyFailure {
  readonly certname: string;
  readonly document: string;
  readonly problem: string;
}

export interface CopyOutcome {
  readonly nodes: number;
  readonly present: number;
  readonly failures: readonly CopyFailure[];
  /** Number of expired nodes. The copy cannot make a node expired in the target, because no command does that. */
  readonly expired: number;
}

const nodesAtOnce = 50;
const reportsAtOnce = 4;
/** For each of these kinds, a node has at most one document. */
const documents = [
  ['factsets', 'facts', factsCommand],
  ['catalogs', 'catalog', catalogCommand],
  ['catalog-inputs', 'catalog inputs', inputsCommand],
] as const;
const entities: readonly Entity[] = [...documents.map(([entity]) => entity), 'reports'];

export async function copyStore(options: CopyOptions): Promise<CopyOutcome> {
  const { source, signal, onProgress } = options;
  const certnames = await source.certnames();
  const tally = { nodes: 0, present: 0, expired: 0, failures: [] as CopyFailure[] };
  for (let from = 0; from < certnames.length; from += nodesAtOnce) {
    signal.throwIfAborted();
    // Nodes that the source has purged in the meantime are missing in the answer, and are skipped.
    const nodes = [...(await source.nodesNamed(certnames.slice(from, from + nodesAtOnce))).values()];
    const portion = await Portion.look(nodes, options);
    await eachOf(nodes, options.concurrency, async (node) => {
      signal.throwIfAborted();
      const { present, failures } = await portion.copy(node);
      tally.nodes += 1;
      tally.present += present;
      tally.expired += node.expired === null ? 0 : 1;
      tally.failures.push(...failures);
      onProgress(tally.nodes, certnames.length);
    });
  }
  return tally;
}

async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}

type Keys = ReadonlyMap<Entity, ReadonlyMap<string, readonly DocumentKey[]>>;

class Portion {
  private constructor(
    private readonly options: CopyOptions,
    private readonly wanted: Keys,
    private readonly there: Keys,
    private readonly nodesThere: ReadonlyMap<string, SourceNode>,
  ) {}

  static async look(nodes: readonly SourceNode[], options: CopyOptions): Promise<Portion> {
    const certnames = nodes.map(({ certname }) => certname);
    const [wanted, there, nodesThere] = await Promise.all([
      keysOf(options.source, certnames),
      keysOf(options.target, certnames),
      options.target.nodesNamed(certnames),
    ]);
    return new Portion(options, wanted, there, nodesThere);
  }

  async copy(node: SourceNode): Promise<{ present: number; failures: CopyFailure[] }> {
    const { source, submitter } = this.options;
    const { certname } = node;
    const failures: CopyFailure[] = [];
    let present = 0;
    const submit = async (document: string, make: () => Promise<WireCommand | undefined>): Promise<void> => {
      const problem = await this.attempt(make, submitter);
      if (problem !== undefined) failures.push({ certname, document, problem });
    };
    const missing = (entity: Entity): readonly DocumentKey[] => {
      const has = new Set((this.there.get(entity)?.get(certname) ?? []).map((key) => nameOf(entity, key)));
      const its = this.wanted.get(entity)?.get(certname) ?? [];
      const lacks = its.filter((key) => !has.has(nameOf(entity, key)));
      present += its.length - lacks.length;
      return lacks;
    };
    for (const [entity, document, toCommand] of documents) {
      if (missing(entity).length === 0) continue;
      await submit(document, async () => {
        const text = await source.document(entity, certname);
        return text === undefined
          ? undefined
          : toCommand(text, entity === 'factsets' ? await source.packages(certname) : []);
      });
    }
    const reports = [...missing('reports')].sort((a, b) =>
      byText(a.producerTimestamp ?? '', b.producerTimestamp ?? ''),
    );
    for (let from = 0; from < reports.length; from += reportsAtOnce) {
      const hashes = reports.slice(from, from + reportsAtOnce).map(({ hash }) => hash as string);
      const order = new Map((await source.reports(hashes)).map((text) => [hashOf(text), text]));
      for (const hash of hashes) {
        const text = order.get(hash);
        if (text !== undefined) await submit(`report ${hash}`, () => Promise.resolve(reportCommand(text)));
      }
    }
    for (const command of this.stateOf(node)) await submit(command.command, () => Promise.resolve(command));
    return { present, failures };
  }

  private async attempt(
    make: () => Promise<WireCommand | undefined>,
    submitter: Submitter,
  ): Promise<string | undefined> {
    try {
      const command = await make();
      return command === undefined ? undefined : await submitter.submit(command);
    } catch (error) {
      if (isFault(error) && (error.code === 'migrate.unreadable' || error.code.startsWith('wire.')))
        return error.message;
      throw error;
    }
  }

  private stateOf(node: SourceNode): WireCommand[] {
    const there = this.nodesThere.get(node.certname);
    return stateCommands({
      ...node,
      deactivated: there?.deactivated === node.deactivated ? null : node.deactivated,
      expiresFactsUpdated: there?.expiresFactsUpdated === node.expiresFactsUpdated ? null : node.expiresFactsUpdated,
    });
  }
}

async function keysOf(store: Store, certnames: readonly string[]): Promise<Keys> {
  const keys = new Map<Entity, Map<string, DocumentKey[]>>();
  for (const entity of entities) {
    const byNode = new Map<string, DocumentKey[]>();
    for (const key of await store.keys(entity, certnames)) {
      const its = byNode.get(key.certname);
      if (its === undefined) byNode.set(key.certname, [key]);
      else its.push(key);
    }
    keys.set(entity, byNode);
  }
  return keys;
}

/**
 * Two documents with the same name are identical. Facts of two runs have different names, even if the facts are equal.
 */
const nameOf = (entity: Entity, { hash, producerTimestamp }: DocumentKey): string =>
  entity === 'reports' ? String(hash) : `${hash ?? ''} ${producerTimestamp}`;

const hashOf = (report: string): string => String((JSON.parse(report) as { hash: unknown }).hash);
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
