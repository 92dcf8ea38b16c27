/**
 * The export pipeline: a position is fixed, the read tables at that position say which records count, these are
 * read from the log, and each becomes a document of the archive. The log decides what an archive holds, so equal positions
 * give equal bytes.
 */
import { type OwnSession, takeLogForKeeping } from '#database';
import { type PastPosition, type ReplayContext, withTablesAt } from '#projections';
import type { ArchiveRoot } from '../format/archive-root';
import { metadataNames, metadataText } from '../format/metadata';
import { archiveEntries, type Anonymize, type ArchiveEntry } from './archive-entries';
import { ExportPlan, liveGenerationOf } from './export-plan';
import { readBytes, type RecordSource } from './record-source';
import { SpooledRecords } from './spooled-records';
import { writeArchive } from './write-archive';

export interface ExportOptions {
  readonly root: ArchiveRoot;
  /** Default: the position of the live tables. */
  readonly at?: PastPosition | undefined;
  readonly anonymizer?: Anonymizer | undefined;
}

/** Makes documents anonymous. */
export interface Anonymizer {
  /** For the archive's metadata. */
  readonly profile: string;
  certname(certname: string): string;
  readonly document: Anonymize;
}

/**
 * The bytes of an archive. Nothing is opened before the first is asked for; it is closed with the last, or when the reader
 * stops. No record is removed from the log meanwhile, and no transaction is open while the archive is written. Faults:
 * `maintenance.busy` (conflict), `replay.no-live` (missing), `replay.position` (malformed), `log.no-record` (missing),
 * those of readCommand and of the log.
 */
export async function* exportArchive(context: ReplayContext, options: ExportOptions): AsyncGenerator<Buffer> {
  const { root, at, anonymizer } = options;
  const nameOf = anonymizer === undefined ? undefined : (name: string): string => anonymizer.certname(name);
  const session = await context.db.session();
  let source: RecordSource | undefined;
  try {
    await takeLogForKeeping(session);
    await session.query({ text: 'SET statement_timeout = 0', values: [] });
    const plan =
      at === undefined
        ? await ExportPlan.make(session, liveGenerationOf, nameOf)
        : await withTablesAt(context, at, (tables) => ExportPlan.make(session, async () => tables, nameOf));
    source = await sourceOf(context, session, plan);
    const documents = archiveEntries(context, plan, source, root, anonymizer?.document);
    yield* writeArchive(withProgress(context, plan, metadataFirst(options, plan, documents)));
  } finally {
    await source?.close();
    session.close();
  }
}

/** A log with random access is asked for the records as they are needed; another one is read once, in order, before. */
async function sourceOf(context: ReplayContext, session: OwnSession, plan: ExportPlan): Promise<RecordSource> {
  const { lookUp } = context.log;
  if (lookUp === undefined) return SpooledRecords.make(context, session, plan.summary);
  return { read: (positions) => lookUp(positions, readBytes), close: async () => undefined };
}

async function* metadataFirst(
  { root, anonymizer }: ExportOptions,
  { summary }: ExportPlan,
  documents: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  const { counts, newest } = summary;
  const timestamp = newest === null ? null : new Date(newest).toISOString();
  const text = metadataText(counts, timestamp, anonymizer?.profile);
  yield { name: `${root}/${metadataNames[0]!}`, time: newest ?? 0, text };
  yield* documents;
}

async function* withProgress(
  { onProgress }: ReplayContext,
  { summary: { total } }: ExportPlan,
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  let done = -1;
  for await (const entry of entries) {
    yield entry;
    done += 1;
    onProgress?.({ step: 'write the archive', done, total, unit: 'documents' });
  }
}
