/**
 * The project pipeline: records in, rows and position out, in one fenced transaction. Takes records in log order; every
 * one is decoded and checked, also those that a newer one supersedes. What cannot be read becomes a dead letter.
 */
import { advancePositions, holdSharedRows, type Database, type Generation, type Session } from '#database';
import { isFault } from '#fault';
import type { Limits } from '#limits';
import { offsetAfter, type LogRecord } from '#log';
import { readCommand, type WireDocument } from '#wire';
import { readStepOf, type StepWatch, noStepWatch } from './batch-steps';
import { CatalogChanges } from './catalogs/catalog-changes';
import { BatchMemory, type MemoryShare } from './batch-memory';
import { type DeadLetter, writeDeadLetters } from './dead-letters';
import { FactChanges } from './facts/fact-changes';
import {
  foldCatalog,
  foldCatalogInputs,
  foldDeactivation,
  foldExpiration,
  foldFactset,
  foldNodeRestoration,
  foldRepeatedReport,
  foldReport,
} from './fold';
import { inflateAhead, unread } from './inflate-ahead';
import { InputChanges } from './inputs/input-changes';
import type { KnownKeys } from './known-keys';
import { Removals } from './lifecycle/removals';
import type { NodeState } from './node-state';
import { loadNodes, writeNodes } from './nodes/node-table';
import { PackageChanges } from './packages/package-changes';
import { PartitionChanges } from './partitions/partition-changes';
import { RecordOutcomes, type RecordOutcome } from './record-outcomes';
import { type KnownReports, ReportChanges } from './reports/report-changes';
import { SharedNames } from './shared-names';
import { estimateMemory } from './weigh';

/** What a batch needs of its projector. */
export interface BatchContext {
  readonly db: Database;
  readonly generation: Generation;
  readonly known: KnownKeys;
  /** Bytes of a payload after inflating; a larger one is a dead letter. */
  readonly maxCommandBytes: number;
  /** What a payload may have of everything else; one with more is a dead letter. */
  readonly limits: Limits;
  /** True for the names of facts that are not stored. */
  readonly dropFact?: ((name: string) => boolean) | undefined;
  /** False: rejected commands and the outcomes of retries are not written down, as the tables are made only to be compared. */
  readonly keepDeadLetters?: boolean | undefined;
  /** Shared by batches that are applied at the same time. Default: only this batch is. */
  readonly memory?: BatchMemory | undefined;
  /** Told how far the batch is, for whoever measures it. */
  readonly onStep?: StepWatch | undefined;
}

export interface BatchResult {
  /** How many of the records were applied, in their order: as many as fit in memory together, one at least. */
  readonly applied: number;
  readonly deadLetters: readonly DeadLetter[];
  /** Of each record that was applied, what became of it. */
  readonly outcomes: readonly RecordOutcome[];
  /** True where `deleteRemovedRows` has something to do now. */
  readonly hasRemovals: boolean;
}

class Changes {
  readonly facts: FactChanges;
  readonly catalogs: CatalogChanges;
  readonly reports: ReportChanges;
  readonly packages: PackageChanges;
  readonly inputs = new InputChanges();
  readonly removals = new Removals();
  readonly ofPartitions = new PartitionChanges();
  readonly environments: SharedNames;
  readonly producers: SharedNames;

  constructor(
    known: KnownKeys,
    /** Nodes that had a catalog before the batch. */
    private readonly hadCatalog: ReadonlySet<string>,
    knownReports: KnownReports | undefined,
  ) {
    this.reports = new ReportChanges(knownReports);
    this.facts = new FactChanges(known);
    this.catalogs = new CatalogChanges(known);
    this.packages = new PackageChanges(known);
    this.environments = new SharedNames('environments', 'environment', known);
    this.producers = new SharedNames('producers', 'producer', known);
  }

  /** Folds the document over its node and takes its rows, where it counts. */
  apply(state: NodeState, document: WireDocument, record: LogRecord): RecordOutcome {
    const receivedAt = new Date(record.receivedAt).toISOString();
    switch (document.kind) {
      case 'facts':
        if (!foldFactset(state, document, receivedAt)) return 'ignored';
        this.facts.add(state, document, receivedAt, record);
        this.packages.add(state, document);
        return state.factDigest === undefined ? 'added' : 'applied';
      case 'catalog':
        if (!foldCatalog(state, document, receivedAt)) return 'ignored';
        this.catalogs.add(state, document, receivedAt, record);
        if (document.content === undefined) return 'unchanged';
        return this.hadCatalog.has(state.node) ? 'applied' : 'added';
      case 'report':
        if (!this.reports.add(state.node, document, receivedAt, record)) {
          foldRepeatedReport(state, document);
          return 'ignored';
        }
        if (foldReport(state, document)) this.reports.setLatest(state.node, document);
        return 'applied';
      case 'deactivation':
        return appliedIf(foldDeactivation(state, document, receivedAt, record));
      case 'expiration':
        return appliedIf(foldExpiration(state, document, receivedAt, record));
      case 'inputs':
        if (!foldCatalogInputs(state, document, receivedAt)) return 'ignored';
        this.inputs.add(state, document, record);
        return 'applied';
      case 'node restoration':
        foldNodeRestoration(state, document, record);
        return 'applied';
      case 'age limits':
      case 'nodes restoration':
        this.ofPartitions.add(document, record);
        return 'applied';
      default:
        this.removals.apply(state, document, record);
        return 'applied';
    }
  }
}

const appliedIf = (counts: boolean): RecordOutcome => (counts ? 'applied' : 'ignored');

interface Folded {
  /** The records that were folded: the first ones, as many as fit. */
  readonly records: readonly LogRecord[];
  readonly states: ReadonlyMap<string, NodeState>;
  /** Nodes that had a catalog before. */
  readonly hadCatalog: ReadonlySet<string>;
  readonly changes: Changes;
  readonly deadLetters: DeadLetter[];
  readonly outcomes: RecordOutcomes;
}

/** Decodes and folds the first records, as many as fit in memory together, over the nodes as they are stored. */
async function foldRecords(
  { db, generation, known, maxCommandBytes, limits, dropFact, onStep = noStepWatch }: BatchContext,
  records: readonly LogRecord[],
  rejected: ReadonlyMap<LogRecord, unknown>,
  share: MemoryShare,
  knownReports?: KnownReports,
): Promise<Folded> {
  const states = await loadNodes(db, generation.schema, new Set(records.map((record) => record.certname)));
  onStep('load');
  const hadCatalog = new Set([...states.values()].filter((state) => state.catalog).map((state) => state.node));
  const changes = new Changes(known, hadCatalog, knownReports);
  const onHash = (ended: boolean): void => onStep(ended ? 'hash_catalogs' : 'read_catalogs');
  const deadLetters: DeadLetter[] = [];
  const outcomes = new RecordOutcomes();
  const isRefused = (record: LogRecord): boolean => rejected.has(record);
  let folded = 0;
  for await (const [record, payload] of inflateAhead(records, {
    mostBytes: maxCommandBytes,
    room: share,
    isRefused,
  })) {
    onStep('inflate');
    folded += 1;
    if (payload === unread || payload instanceof Error) {
      deadLetters.push({ record, error: payload === unread ? rejected.get(record) : payload });
      outcomes.rejected();
      continue;
    }
    const state = states.get(record.certname) as NodeState;
    let document: WireDocument;
    try {
      document = readCommand(record, payload, {
        limits,
        onHash,
        ...(state.catalog && { catalog: state.catalog }),
        ...(dropFact && { dropFact }),
      });
    } catch (error) {
      if (!isFault(error)) throw error;
      deadLetters.push({ record, error });
      outcomes.rejected();
      onStep(readStepOf(record.command));
      continue;
    }
    outcomes.folded(state.node, document.kind, changes.apply(state, document, record));
    onStep(readStepOf(record.command));
    if (!share.weigh(estimateMemory(document))) break;
  }
  return { records: records.slice(0, folded), states, hadCatalog, changes, deadLetters, outcomes };
}

/**
 * Applies the first of some records, as many as fit in memory together, one at least. They follow the generation's
 * positions without leaving one out in each partition: either documents (restored nodes among them), or removals, or records about
 * partitions, never two of them (`recordRuns`). `rejected` names records that must become dead letters with the
 * given error; they are not read.
 * Throws Fault `database.fenced` where another projector has moved a position, `database.shared-rows-collected` where the known
 * keys are no longer to be relied upon; nothing that shows is changed then.
 */
export async function applyBatch(
  context: BatchContext,
  given: readonly LogRecord[],
  rejected: ReadonlyMap<LogRecord, unknown> = new Map(),
): Promise<BatchResult> {
  const share = (context.memory ?? new BatchMemory()).share();
  try {
    return await applyWithin(share, context, given, rejected);
  } finally {
    share.release();
  }
}

async function applyWithin(
  share: MemoryShare,
  context: BatchContext,
  given: readonly LogRecord[],
  rejected: ReadonlyMap<LogRecord, unknown>,
): Promise<BatchResult> {
  const { db, generation, known, onStep = noStepWatch } = context;
  const { schema } = generation;
  let folded = await foldRecords(context, given, rejected, share);
  const { wereLatest, ...knownReports } = await folded.changes.reports.dropStored(db, schema);
  onStep('prepare_reports');
  if (wereLatest) {
    share.release();
    folded = await foldRecords(context, folded.records, rejected, share, knownReports);
  }
  await share.beforeWriting();
  const { records, states, hadCatalog, changes, deadLetters, outcomes } = folded;

  const environment = (name: string | null): string | null => changes.environments.key(name);
  const producer = (name: string | null): string | null => changes.producers.key(name);
  changes.facts.prepare(environment, producer);
  changes.packages.prepare();
  onStep('prepare_facts');
  changes.catalogs.prepare(hadCatalog, environment, producer);
  onStep('prepare_catalogs');
  changes.reports.prepare(environment, producer);
  onStep('prepare_reports');

  const shared = [changes.environments, changes.producers];
  const writeShared = async (session: Session): Promise<void> => {
    for (const names of shared) await names.write(session, schema);
    onStep('write_names');
    await changes.facts.writeShared(session, schema);
    await changes.packages.writeShared(session, schema);
    onStep('write_facts');
    await changes.catalogs.writeShared(session, schema);
    onStep('write_resources');
  };
  const rememberShared = (): void => {
    for (const part of [...shared, changes.facts, changes.packages, changes.catalogs]) part.committed();
  };
  // Shared rows go first, so that no other projector waits for them while this batch is written. A projector that remembers
  // nothing yet writes them with the batch. Then no collection can come between, and the projector learns the epoch.
  const { epoch } = known;
  if (epoch !== undefined) {
    await db.transaction(writeShared);
    onStep('commit');
    rememberShared();
  }

  const reached = await db.transaction(async (session) => {
    await holdSharedRows(session, generation.generation);
    const current = await advancePositions(session, generation.generation, moves(records), epoch);
    onStep('lock');
    if (epoch === undefined) await writeShared(session);
    else {
      // A crash of the database may take this transaction away: the log still has its records. Shared rows were committed
      // before, durably, because this process remembers them.
      await session.query({ text: 'SET LOCAL synchronous_commit = off', values: [] });
    }
    await changes.removals.writeRows(session, schema);
    await changes.ofPartitions.writeRows(session, schema);
    onStep('remove_rows');
    await writeNodes(session, schema, states.values());
    onStep('write_nodes');
    await changes.facts.writeRows(session, schema);
    await changes.packages.writeRows(session, schema);
    onStep('write_facts');
    await changes.catalogs.writeRows(session, schema, onStep);
    await changes.inputs.writeRows(session, schema);
    onStep('write_inputs');
    await changes.reports.writeRows(session, schema, onStep);
    if (context.keepDeadLetters !== false) {
      await writeDeadLetters(session, records, deadLetters);
      await changes.removals.forgetLetters(session);
    }
    const positions = Object.fromEntries(moves(records).map(({ partition, to }) => [partition, to]));
    await session.query({
      text: `SELECT pg_notify('nodeledger_applied', $1)`,
      values: [JSON.stringify({ generation: generation.generation, positions })],
    });
    onStep('write_letters');
    return current;
  });
  onStep('commit');
  if (epoch === undefined) {
    known.epoch = reached;
    rememberShared();
  }
  return {
    applied: records.length,
    deadLetters,
    outcomes: outcomes.all,
    hasRemovals: changes.ofPartitions.hasRemovals,
  };
}

/** For each partition: from the offset of its first record to the one that follows its last, over a base's holes. */
function moves(records: readonly LogRecord[]): { partition: number; from: number; to: number }[] {
  const found = new Map<number, { partition: number; from: number; to: number }>();
  for (const record of records) {
    const { partition, offset } = record;
    const move = found.get(partition);
    if (move === undefined) found.set(partition, { partition, from: offset, to: offsetAfter(record) });
    else move.to = offsetAfter(record);
  }
  return [...found.values()];
}
