import { excerpt, Fault } from '#fault';
import { checkLimit, type Limits } from '#limits';
import { commandCatalogue, lifecycleCommands } from '#wire';
import { type EntryKindOf, entryKinds } from '../format/entry-kinds';
import { readEntryName } from '../format/entry-name';
import { type ArchiveMetadata, metadataNames, readMetadata } from '../format/metadata';
import { type DocumentHead, headOf, type ReadHead } from './document-head';
import { inflated } from './inflated';
import { type TarEntry, tarEntries } from './tar-entries';
import { wrongEntry } from './wrong-entry';

export interface ArchivedCommand extends DocumentHead {
  readonly command: string;
  readonly version: number;
  readonly entry: string;
}

export interface SkippedEntries {
  entries: number;
}

const byKind = new Map(entryKinds.map((kind) => [kind.kind, kind]));

/**
 * Yields the commands in the tar.gz file `pieces`. Checks metadata and versions before the first command. For each
 * document, checks only that it is a JSON map with a certname, because the projector finds all other errors. Throws
 * `import.metadata`, `import.version`, `import.entry`, `import.broken`, `http.limit`, and the faults of `pieces`.
 */
export async function* archivedCommands(
  pieces: AsyncIterable<Buffer>,
  limits: Limits,
  passed: SkippedEntries = { entries: 0 },
  readHead: ReadHead = headOf,
): AsyncGenerator<ArchivedCommand, void, undefined> {
  let versions: Versions | undefined;
  for await (const entry of tarEntries(inflated(pieces, limits), limits)) {
    const name = entry.name.replace(/^(?:\.\/)+/, '');
    const parsedName = entry.isFolder ? undefined : readEntryName(name);
    if (parsedName === undefined) {
      if (versions === undefined && !entry.isFolder) throw metadataNotFirst(entry.name);
      checkLimit(limits, 'archiveOthers', ++passed.entries);
    } else if (parsedName.holds === 'metadata') {
      if (versions !== undefined) throw wrongEntry(entry.name, 'is a second metadata file');
      versions = await metadataOf(entry);
    } else {
      if (versions === undefined) throw metadataNotFirst(entry.name);
      yield await commandOf(entry, byKind.get(parsedName.kind)!, versions, readHead);
    }
  }
  if (versions === undefined) throw wrongMetadata(`The archive has no ${metadataNames[0]}.`);
}

type Versions = ReadonlyMap<string, number>;

const metadataNotFirst = (name: string): Fault =>
  wrongMetadata(`The archive begins with ${JSON.stringify(excerpt(name))} instead of its metadata.`);

const wrongMetadata = (message: string): Fault =>
  new Fault('malformed', 'import.metadata', message, {
    hint: `The first file of an archive is nodeledger-bak/${metadataNames[0]} or puppetdb-bak/${metadataNames[0]}; it has a map "command_versions". Nothing was stored.`,
  });

async function metadataOf(entry: TarEntry): Promise<Versions> {
  const text = (await entry.content()).toString('utf8');
  const metadata = readMetadata(text);
  if (metadata === undefined)
    throw wrongMetadata(
      `The metadata ${JSON.stringify(excerpt(entry.name))} have no map "command_versions" from names of commands to integers.`,
    );
  return checkedVersions(metadata);
}

function checkedVersions({ commandVersions }: ArchiveMetadata): Versions {
  const versions = new Map<string, number>();
  const wrong: string[] = [];
  for (const [name, version] of Object.entries(commandVersions)) {
    const command = name.replaceAll('_', ' ');
    const readable = readableVersions(command);
    if (readable === undefined) continue;
    const { minimum, current } = readable;
    if (version < minimum || version > current)
      wrong.push(`${command} ${version} (${minimum === current ? current : `${minimum} to ${current}`} can be read)`);
    versions.set(command, version);
  }
  if (wrong.length > 0)
    throw new Fault(
      'malformed',
      'import.version',
      `The archive has documents in versions that this service cannot read: ${wrong.join(', ')}.`,
      { hint: 'Nothing was stored.' },
    );
  return versions;
}

function readableVersions(command: string): { readonly minimum: number; readonly current: number } | undefined {
  if (command === lifecycleCommands.restoreNode.command) return { minimum: 1, current: 1 };
  return commandCatalogue.get(command);
}

async function commandOf(
  entry: TarEntry,
  { command }: EntryKindOf,
  versions: Versions,
  readHead: ReadHead,
): Promise<ArchivedCommand> {
  const { name } = entry;
  const version = versions.get(command);
  if (version === undefined)
    throw new Fault(
      'malformed',
      'import.version',
      `The metadata of the archive do not say in which version its documents of ${command} are, such as ${JSON.stringify(excerpt(name))}.`,
      { hint: `"command_versions" has to name ${command.replaceAll(' ', '_')}.` },
    );
  const { payload, ...head } = await readHead(await entry.content(), name);
  return { command, version, ...head, payload, entry: name };
}
