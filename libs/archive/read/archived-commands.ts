/**
 * Reads an archive as commands. Checks metadata and versions before it returns the first command. Of each document it
 * checks only that it is a JSON map with a certname, as for a submitted command. The projector finds all other errors.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import { excerpt, Fault, isFault } from '#fault';
import { checkLimit, type Limits } from '#limits';
import { commandCatalogue, lifecycleCommands, sliceMembers, unescapeString } from '#wire';
import { type EntryKindOf, entryKinds } from '../format/entry-kinds';
import { readEntryName } from '../format/entry-name';
import { type ArchiveMetadata, metadataNames, readMetadata } from '../format/metadata';
import { inflated } from './inflated';
import { type TarEntry, tarEntries, wrongEntry } from './tar-entries';

export interface ArchivedCommand {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** Not compressed. */
  readonly payload: Buffer;
  /** Milliseconds since 1970 of `producer_timestamp`; undefined if the document has no valid one. */
  readonly producedAt: number | undefined;
  /** Name of the entry. */
  readonly entry: string;
}

/** Counts ignored entries: folders, and files without a document. */
export interface SkippedEntries {
  entries: number;
}

const leastLargeBytes = 1 << 20;
const byKind = new Map(entryKinds.map((kind) => [kind.kind, kind]));

/** `pieces` are the bytes of the tar.gz file. Throws the faults of this folder and those of `pieces`. */
export async function* archivedCommands(
  pieces: AsyncIterable<Buffer>,
  limits: Limits,
  passed: SkippedEntries = { entries: 0 },
): AsyncGenerator<ArchivedCommand, void, undefined> {
  let versions: Versions | undefined;
  for await (const entry of tarEntries(inflated(pieces, limits), limits)) {
    const name = entry.name.replace(/^(?:\.\/)+/, '');
    const says = entry.isFolder ? undefined : readEntryName(name);
    if (says === undefined) {
      if (versions === undefined && !entry.isFolder) throw metadataNotFirst(entry.name);
      checkLimit(limits, 'archiveOthers', ++passed.entries);
    } else if (says.holds === 'metadata') {
      if (versions !== undefined) throw wrongEntry(entry.name, 'is a second metadata file');
      versions = await metadataOf(entry);
    } else {
      if (versions === undefined) throw metadataNotFirst(entry.name);
      yield await commandOf(entry, byKind.get(says.kind)!, versions);
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

/** Checks all versions before the first document is stored. */
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

async function commandOf(entry: TarEntry, { command }: EntryKindOf, versions: Versions): Promise<ArchivedCommand> {
  const { name } = entry;
  const version = versions.get(command);
  if (version === undefined)
    throw new Fault(
      'malformed',
      'import.version',
      `The metadata of the archive do not say in which version its documents of ${command} are, such as ${JSON.stringify(excerpt(name))}.`,
      { hint: `"command_versions" has to name ${command.replaceAll(' ', '_')}.` },
    );
  const payload = await entry.content();
  // Other requests proceed between the steps for a large document, each of which takes up to 20 ms.
  const pause = async (): Promise<void> => void (payload.length > leastLargeBytes && (await turn()));
  await pause();
  const text = textOfPayload(payload, name);
  await pause();
  const members = membersOf(text, name);
  await pause();
  const certname = textOf(members.get('certname'));
  if (certname === undefined || /^\s*$/.test(certname)) throw wrongEntry(name, 'has no certname');
  if (/[\0\p{Surrogate}]/u.test(certname))
    throw wrongEntry(name, 'has a certname with U+0000 or half a surrogate pair');
  return { command, version, certname, payload, producedAt: timeOf(members.get('producer_timestamp')), entry: name };
}

function textOfPayload(payload: Buffer, name: string): string {
  if (payload.length === 0) throw wrongEntry(name, 'is empty');
  if (!isUtf8(payload)) throw wrongEntry(name, 'is not UTF-8');
  return payload.toString('utf8');
}

function membersOf(text: string, name: string): ReadonlyMap<string, string> {
  try {
    const members = sliceMembers(text, ['certname', 'producer_timestamp']);
    if (members !== undefined) return members.found;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw wrongEntry(name, `cannot be read: ${error.message}`);
  }
  throw wrongEntry(name, 'is not a JSON map');
}

const textOf = (member: string | undefined): string | undefined =>
  member?.startsWith('"') === true ? unescapeString(member.slice(1, -1)) : undefined;

/** Returns undefined for an invalid time. The projector reports the error. */
function timeOf(member: string | undefined): number | undefined {
  if (member === undefined) return undefined;
  const time = member.startsWith('"') ? Date.parse(textOf(member)!) : Number(member);
  return Number.isFinite(time) ? time : undefined;
}
