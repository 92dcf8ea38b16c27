import { lifecycleCommands, commandCatalogue } from '#wire';
import { type EntryKind, entryKinds } from './entry-kinds';

/** Names of the metadata file. nodeledger and PuppetDB write the first name. */
export const metadataNames: readonly string[] = ['export-metadata.json', 'metadata.json'];

export interface ArchiveMetadata {
  /** Keys are names of commands, with underscores instead of spaces. */
  readonly commandVersions: Readonly<Record<string, number>>;
  readonly timestamp: string | null;
  /** Number of documents in each folder. Absent in archives from PuppetDB. */
  readonly documents?: Readonly<Record<string, number>>;
  readonly anonymizationProfile?: string;
}

export const writtenVersions: Readonly<Record<string, number>> = Object.fromEntries(
  entryKinds
    .map(({ command }): [string, number] => [
      command.replaceAll(' ', '_'),
      commandCatalogue.get(command)?.current ?? lifecycleCommands.restoreNode.version,
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

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

/** Returns undefined if the text is not a JSON map, or if `command_versions` is not a map of non-negative integers. */
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
