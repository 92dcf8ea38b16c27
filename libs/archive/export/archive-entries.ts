import { canonicalDocument, encodeString, inflate } from '#wire';
import type { Position } from '#log';
import type { ReplayContext } from '#projections';
import { highestLimits } from '#limits';
import type { DocumentAnonymizer } from '../anonymize/document-anonymizer';
import { entryName } from '../format/entry-name';
import type { ArchiveRoot } from '../format/archive-root';
import { type ExportPlan, type PlannedEntry } from './export-plan';
import { type RecordSource, type StoredCommand } from './record-source';

export interface ArchiveEntry {
  readonly name: string;
  /** Modification time in milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
}

/** The limits may have been higher when the projector accepted the document. */
const widest = highestLimits;
const mostBytes = highestLimits.commandBytes;

export async function* archiveEntries(
  { dropFact, signal }: Pick<ReplayContext, 'dropFact' | 'signal'>,
  plan: ExportPlan,
  source: RecordSource,
  root: ArchiveRoot,
  anonymizer: DocumentAnonymizer | undefined,
): AsyncGenerator<ArchiveEntry> {
  for (let last = 0; ;) {
    const entries = await plan.after(last);
    if (entries.length === 0) return;
    last = entries.at(-1)!.ordinal;
    let records: StoredCommand[] = [];
    for (const [index, entry] of entries.entries()) {
      signal.throwIfAborted();
      if (isOfLog(entry) && records.length === 0) {
        records = [...(await source.read(entries.slice(index).filter(isOfLog)))].reverse();
      }
      const text = isOfLog(entry) ? await documentOf(records.pop()!, dropFact) : stateText(entry.state!);
      const { kind, certname, inactive, time } = entry;
      const written = anonymizer?.document({ kind, certname, text }) ?? { certname, text };
      yield { name: entryName(root, { kind, inactive, ...written }), time, text: written.text };
    }
  }
}

const isOfLog = (entry: PlannedEntry): entry is PlannedEntry & Position => entry.offset !== null;

async function documentOf(record: StoredCommand, dropFact: ReplayContext['dropFact']): Promise<string> {
  const payload = await inflate(record.payload, record.encoding, mostBytes);
  const receivedAt = new Date(record.receivedAt).toISOString();
  return canonicalDocument(record, payload, { limits: widest, dropFact, receivedAt });
}

/** JSON.parse loses no digits, because the JSON of a node state has no numbers. */
function stateText(json: string): string {
  const write = (value: unknown): string => {
    if (typeof value === 'string') return encodeString(value);
    if (typeof value !== 'object' || value === null) return String(value);
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => `"${key}":${write(one)}`)
      .join()}}`;
  };
  return write(JSON.parse(json));
}
