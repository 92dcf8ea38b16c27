/** First half of a batch: decodes and checks records, and folds their documents. Writes nothing to the database. */
import type { Database, Generation } from '#database';
import { isFault } from '#fault';
import type { Limits } from '#limits';
import type { LogRecord } from '#log';
import { isUnchanged, readCommand, readDocumentInParts, type ReadOptions, type WireDocument } from '#wire';
import type { MemoryShare } from './batch-memory';
import { type BatchParts, makeParts } from './batch-parts';
import { noStepWatch, type StepWatch } from './batch-steps';
import type { DeadLetter } from './dead-letters';
import { kindOf, readStepOf } from './document-kinds';
import { DividedPayload, inflateAhead, unread } from './inflate-ahead';
import { isInPast, type PastStarts } from './history/kept-past';
import type { KnownKeys } from './known-keys';
import { addVersion, type NodeState } from './node-state';
import { loadNodes } from './nodes/node-table';
import { RecordOutcomes } from './record-outcomes';
import type { KnownReports } from './reports/report-changes';
import { lifeChanges, originOf } from './timeline/life-changes';

export interface FoldContext {
  readonly db: Database;
  readonly generation: Generation;
  readonly known: KnownKeys;
  /** Limit on the inflated size of a payload. A larger payload becomes a dead letter. */
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
  readonly onStep?: StepWatch | undefined;
}

/**
 * A document of this size ends its batch, because the document takes some tenths of a second. About 8,000 values of
 * facts reach this size.
 */
const heavyDocument = 5 << 20;
/**
 * A batch ends when the documents of one node have taken this long. The time changes the division into batches, but not
 * the tables.
 */
const longestOfNodeMs = 500;

export interface Folded {
  /** As many of the given records as fit in memory, from the first record on. */
  readonly records: readonly LogRecord[];
  readonly parts: BatchParts;
  readonly deadLetters: readonly DeadLetter[];
  readonly outcomes: RecordOutcomes;
  readonly isHeavy: boolean;
}

export async function foldRecords(
  { db, generation, known, maxCommandBytes, limits, dropFact, onStep = noStepWatch }: FoldContext,
  records: readonly LogRecord[],
  rejected: ReadonlyMap<LogRecord, unknown>,
  share: MemoryShare,
  pastStarts: PastStarts,
  knownReports?: KnownReports,
): Promise<Folded> {
  const states = await loadNodes(db, generation.schema, new Set(records.map((record) => record.certname)));
  onStep('load');
  const keepsPast = pastStarts.size > 0;
  const parts = makeParts(states, known, knownReports, pastStarts);
  const onHash = (ended: boolean): void => onStep(ended ? 'hash_catalogs' : 'read_catalogs');
  const optionsFor = ({ certname }: LogRecord): ReadOptions => {
    const state = states.get(certname) as NodeState;
    const packageDigest = parts.packages.newestDigest(state);
    return { limits, onHash, dropFact, catalog: state.catalog, packageDigest };
  };
  const deadLetters: DeadLetter[] = [];
  const outcomes = new RecordOutcomes();
  const isRefused = (record: LogRecord): boolean => rejected.has(record);
  const msOfNodes = new Map<string, number>();
  const takesLong = (certname: string, begun: number): boolean => {
    const ms = (msOfNodes.get(certname) ?? 0) + performance.now() - begun;
    msOfNodes.set(certname, ms);
    return ms >= longestOfNodeMs;
  };
  /** For each command and certname: bytes of memory of the newest document in the batch. */
  const weights = new Map<string, number>();
  let folded = 0;
  let isHeavy = false;
  for await (const [record, payload] of inflateAhead(records, {
    mostBytes: maxCommandBytes,
    memory: share,
    isRefused,
    isUnchanged: (record, { sections }) => isUnchanged(record, sections, optionsFor(record)),
  })) {
    onStep('inflate');
    folded += 1;
    if (payload === unread || payload instanceof Error) {
      deadLetters.push({ record, error: payload === unread ? rejected.get(record) : payload });
      outcomes.rejected();
      continue;
    }
    await share.beforeDecoding();
    const begun = performance.now();
    const options = optionsFor(record);
    const isDivided = payload instanceof DividedPayload;
    const divided = isDivided ? readDocumentInParts(record, payload, options) : undefined;
    const whole = isDivided && !divided ? await payload.parts.whole() : payload;
    let document: WireDocument;
    try {
      document = divided ?? readCommand(record, whole as Buffer, options);
    } catch (error) {
      if (!isFault(error)) throw error;
      deadLetters.push({ record, error });
      outcomes.rejected();
      onStep(readStepOf(record.command));
      if (!takesLong(record.certname, begun)) continue;
      isHeavy = true;
      break;
    }
    const state = states.get(record.certname) as NodeState;
    const kind = kindOf(document);
    const receivedAt = new Date(record.receivedAt).toISOString();
    const { deactivated, expired } = state.row;
    const outcome = kind.apply(document, { record, receivedAt, state, parts });
    addVersion(state, record.offset, isInPast(pastStarts, record));
    for (const change of lifeChanges({ deactivated, expired }, state.row))
      parts.timeline.add(state.node, change, originOf(document, record, parts.names));
    outcomes.folded(outcome, kind.replaces && `${document.kind} ${state.node}`);
    onStep(kind.readStep);
    const name = documentName(record);
    const weight = kind.weigh?.(document) ?? 0;
    // If the tables keep a past, the batch also keeps the replaced document in memory.
    const hasRoom = share.weigh(weight - (keepsPast ? 0 : (weights.get(name) ?? 0)));
    if (kind.replaces === true && outcome !== 'ignored') weights.set(name, weight);
    const isLong = takesLong(record.certname, begun);
    isHeavy ||= isLong || weight + payload.length >= heavyDocument;
    const next = records[folded];
    // A heavy batch continues if the next document replaces a document of the batch, because only the newest document
    // is written.
    if (!hasRoom || isLong || (isHeavy && (next === undefined || !weights.has(documentName(next))))) break;
  }
  return { records: records.slice(0, folded), parts, deadLetters, outcomes, isHeavy };
}

const documentName = ({ command, certname }: LogRecord): string => `${command} ${certname}`;
