import { lifecycleCommands, commandCatalogue } from '#wire';
import { type EntryKind, entryKinds } from './entry-kinds';

/** The names of the metadata file below the root; ours and PuppetDB's is the first. */
export const metadataNames: readonly string[] = ['export-metadata.json', 'metadata.json'];

/** The first entry of an archive. */
export interface ArchiveMetadata {
  /** Versions of the payloads, by the names of commands with underscores. */
  readonly commandVersions: Readonly<Record<string, number>>;
  /** The newest time that a document of the archive has; null in an empty one. */
  readonly timestamp: string | null;
  /** How many documents follow, by the folder of their kind. Archives of PuppetDB do not have it. */
  readonly documents?: Readonly<Record<string, number>>;
  /** Absent: the documents are as they were. */
  readonly anonymizationProfile?: string;
}

/** The versions of the documents that this program writes. */
export const writtenVersions: Readonly<Record<string, number>> = Object.fromEntries(
  entryKinds
    .map(({ command }): [string, number] => [
      command.replaceAll(' ', '_'),
      commandCatalogue.get(command)?.current ?? lifecycleCommands.restoreNode.version,
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** The text of the metadata file. `counted`: the documents that follow. */
export function metadataText(
  counted: ReadonlyMap<EntryKind, number>,
  timestamp: string | null,
  anonymizationProfile?: string,
): string {
  const documents = entryKinds.map(({ folder, kind }): [string, number] => [folder, counted.get(kind) ?? 0]);
  return JSON.stringify({
    ...(anonymizationProfile !== undefined && { anonymization_profile: anonymizationProfile }),
    command_versions: writtenVersions,
    documents: Object.fromEntries(documents.sort(([a], [b]) => (a < b ? -1 : 1))),
    timestamp,
  });
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCounts = (value: unknown): value is Readonly<Record<string, number>> =>
  isMap(value) && Object.values(value).every((one) => Number.isSafeInteger(one) && (one as number) >= 0);

/** Takes the text of a metadata file. Undefined where it is none: no JSON map, or no map `command_versions` of integers. */
export function readMetadata(text: string): ArchiveMetadata | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isMap(value) || !isCounts(value['command_versions'])) return undefined;
  const { command_versions: commandVersions, documents, timestamp, anonymization_profile: profile } = value;
  return {
    commandVersions,
    timestamp: typeof timestamp === 'string' ? timestamp : null,
    ...(isCounts(documents) && { documents }),
    ...(typeof profile === 'string' && { anonymizationProfile: profile }),
  };
}
