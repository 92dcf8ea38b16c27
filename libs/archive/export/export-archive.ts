import { type Generation, type OwnSession, type Session, takeLogForKeeping } from '#database';
import { type PastPosition, type ReplayContext, withTablesAt } from '#projections';
import type { ArchiveRoot } from '../format/archive-root';
import { metadataNames, metadataText } from '../format/metadata';
import type { DocumentAnonymizer } from '../anonymize/document-anonymizer';
import { archiveEntries, type ArchiveEntry } from './archive-entries';
import { type ExportedTables, ExportPlan, liveGenerationOf } from './export-plan';
import { readBytes, type RecordSource } from './record-source';
import { SpooledRecords } from './spooled-records';
import { writeArchive } from './write-archive';

export interface ExportOptions {
  readonly root: ArchiveRoot;
  /** Default: the position of the live tables. */
  readonly at?: PastPosition | undefined;
  /**
   * Returns the position in each partition that the live tables had at an earlier moment. The archive then contains the
   * data that queries about this moment show. Cannot be used with `at`.
   */
  readonly asOf?: ((session: Session, live: Generation) => Promise<readonly string[]>) | undefined;
  readonly anonymizer?: DocumentAnonymizer | undefined;
}

/**
 * Returns the bytes of an archive. Selects records by the read tables at a fixed position, and reads their contents
 * only from the log. So exports at equal positions have equal bytes. Opens a session when the first byte is requested,
 * and closes the session after the last byte or when the reader stops. During the export, no record is deleted from the
 * log and no transaction is open.
 *
 * Throws `maintenance.busy`, `replay.no-live`, `replay.position`, `log.no-record`, and the faults of `asOf`, of
 * `readCommand` and of the log.
 */
export async function* exportArchive(context: ReplayContext, options: ExportOptions): AsyncGenerator<Buffer> {
  const { root, at, asOf, anonymizer } = options;
  const nameOf = anonymizer === undefined ? undefined : (name: string): string => anonymizer.certname(name);
  const session = await context.db.session();
  let source: RecordSource | undefined;
  try {
    await takeLogForKeeping(session);
    await session.query({ text: 'SET statement_timeout = 0', values: [] });
    const ofLive = async (snapshot: Session): Promise<ExportedTables> => {
      const live = await liveGenerationOf(snapshot);
      return { ...live, offsets: await asOf?.(snapshot, live) };
    };
    const plan =
      at === undefined
        ? await ExportPlan.make(session, ofLive, nameOf)
        : await withTablesAt(context, at, (tables) => ExportPlan.make(session, async () => tables, nameOf));
    source = await sourceOf(context, session, plan);
    const documents = archiveEntries(context, plan, source, root, anonymizer);
    yield* writeArchive(withProgress(context, plan, metadataFirst(options, plan, documents)));
  } finally {
    await source?.close();
    session.close();
  }
}

/**
 * If the log cannot look up records by position, copies the planned records from the whole log before the export
 * begins.
 */
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
