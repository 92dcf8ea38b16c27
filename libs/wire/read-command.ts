import { excerpt, Fault, isFault } from '#fault';
import { defaultLimits, type Limits } from '#limits';
import { catalogV6 } from './catalog/v6';
import { catalogV7 } from './catalog/v7';
import { catalogV8 } from './catalog/v8';
import { areEqual, catalogV9, readCatalog, readCatalogInParts, type CatalogVersion } from './catalog/v9';
import { readDeactivation } from './deactivate/v3';
import type {
  CatalogSections,
  DocumentPart,
  DocumentParts,
  WireCatalog,
  WireDocument,
  WireFactset,
  WireReport,
} from './documents';
import { readExpiration } from './expiration/v1';
import { recallInventory } from './facts/inventory';
import { factsV4 } from './facts/v4';
import { factsV5, readFacts, readFactsInParts, type FactsVersion } from './facts/v5';
import { readCatalogInputs } from './inputs/v1';
import { readAgeLimits } from './lifecycle/age-limits';
import { isLifecycleCommand, lifecycleCommands } from './lifecycle/commands';
import { readNodeDeletion, readNodeRestoration, readNodesRestoration } from './lifecycle/v1';
import { payloadText } from './payload-text';
import { reportV5 } from './report/v5';
import { reportV6 } from './report/v6';
import { reportV7 } from './report/v7';
import { readReport, reportV8, type ReportVersion } from './report/v8';
import { checkValues } from './value-count';

export interface CommandHeader {
  /** With spaces, such as `replace facts`. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
}

export interface ReadOptions {
  readonly limits: Limits;
  readonly catalog?: CatalogSections | undefined;
  /**
   * Digest of the stored inventory of the node. The reader compares it only with the inventory of a document in parts.
   */
  readonly packageDigest?: Buffer | undefined;
  /** Facts are dropped before the hash is computed. */
  readonly dropFact?: ((name: string) => boolean) | undefined;
  /** Called for metrics: with false when the hashing of a catalog begins, and with true when it ends. */
  readonly onHash?: (ended: boolean) => void;
}

type Reader<D extends WireDocument> = (payload: Buffer, options: ReadOptions) => D;
type PartsReader<D extends WireDocument> = (parts: DocumentParts, options: ReadOptions) => D | undefined;

const facts =
  (version: FactsVersion): Reader<WireFactset> =>
  (payload, { dropFact, limits }) =>
    readFacts(payloadText(payload), version, dropFact, limits);
const catalog =
  (version: CatalogVersion): Reader<WireCatalog> =>
  (payload, { catalog, limits, onHash }) =>
    readCatalog(payload, version, catalog, limits, onHash);
const factsInParts =
  (version: FactsVersion): PartsReader<WireFactset> =>
  (parts, { dropFact, limits, packageDigest }) =>
    readFactsInParts(parts, version, dropFact, limits, packageDigest);
const catalogInParts =
  (version: CatalogVersion): PartsReader<WireCatalog> =>
  (parts, { catalog, limits, onHash }) =>
    readCatalogInParts(parts, version, catalog, limits, onHash);
const report =
  (version: ReportVersion): Reader<WireReport> =>
  (payload, { limits }) =>
    readReport(payloadText(payload), version, limits);
const text =
  <D extends WireDocument>(read: (text: string, limits: Limits) => D): Reader<D> =>
  (payload, { limits }) =>
    read(payloadText(payload), limits);

export const factsVersions = [factsV4, factsV5];
export const catalogVersions = [catalogV6, catalogV7, catalogV8, catalogV9];
export const reportVersions = [reportV5, reportV6, reportV7, reportV8];

const readersOf = <V extends { readonly version: number }, R>(
  versions: readonly V[],
  reader: (version: V) => R,
): Readonly<Record<number, R>> => Object.fromEntries(versions.map((one) => [one.version, reader(one)]));

type Kind = WireDocument['kind'];

interface KindReaders<D extends WireDocument> {
  readonly command: string;
  readonly versions: Readonly<Record<number, Reader<D>>>;
  readonly inParts?: Readonly<Record<number, PartsReader<D>>>;
}

const kinds: { readonly [K in Kind]: KindReaders<Extract<WireDocument, { readonly kind: K }>> } = {
  catalog: {
    command: 'replace catalog',
    versions: readersOf(catalogVersions, catalog),
    inParts: readersOf(catalogVersions, catalogInParts),
  },
  facts: {
    command: 'replace facts',
    versions: readersOf(factsVersions, facts),
    inParts: readersOf(factsVersions, factsInParts),
  },
  report: { command: 'store report', versions: readersOf(reportVersions, report) },
  deactivation: { command: 'deactivate node', versions: { 3: text(readDeactivation) } },
  expiration: { command: 'configure expiration', versions: { 1: text(readExpiration) } },
  inputs: { command: 'replace catalog inputs', versions: { 1: text(readCatalogInputs) } },
  'node deletion': { command: lifecycleCommands.deleteNode.command, versions: { 1: text(readNodeDeletion) } },
  'node restoration': { command: lifecycleCommands.restoreNode.command, versions: { 1: text(readNodeRestoration) } },
  'age limits': { command: lifecycleCommands.applyAgeLimits.command, versions: { 1: text(readAgeLimits) } },
  'nodes restoration': { command: lifecycleCommands.restoreNodes.command, versions: { 1: text(readNodesRestoration) } },
};

interface CommandReaders extends Omit<KindReaders<WireDocument>, 'command'> {
  readonly kind: Kind;
}

const commands: ReadonlyMap<string, CommandReaders> = new Map(
  (Object.keys(kinds) as Kind[]).map((kind) => [kinds[kind].command, { ...kinds[kind], kind }]),
);

interface CommandVersions {
  /** Oldest version that the service accepts on submission. */
  readonly minimum: number;
  /**
   * Newest readable version. The service accepts newer versions on submission, and the projector stores them as dead
   * letters.
   */
  readonly current: number;
}

/** The versions of each command that clients may submit, by command name with spaces (`replace facts`). */
export const commandCatalogue: ReadonlyMap<string, CommandVersions> = new Map(
  [...commands]
    .filter(([command]) => !isLifecycleCommand(command))
    .map(([command, { versions }]) => {
      const numbers = Object.keys(versions).map(Number);
      return [command, { minimum: Math.min(...numbers), current: Math.max(...numbers) }];
    }),
);

/** The name must contain spaces. Returns undefined for an unknown command. */
export const documentKindOf = (command: string): Kind | undefined => commands.get(command)?.kind;

/**
 * Takes linear time. Does not parse the sections of a catalog that equal those of `options.catalog`.
 *
 * Throws `wire.command` for an unknown command, `wire.version` for an unknown version of a command, and `wire.certname`
 * if the payload and the header name different nodes. Invalid payloads cause `wire.encoding`, `wire.json`,
 * `wire.number`, `wire.limit`, or `wire.shape` with up to 20 problems in `details`.
 */
export function readCommand(
  header: CommandHeader,
  payload: Buffer,
  options: ReadOptions = { limits: defaultLimits },
): WireDocument {
  const { command, version, certname } = header;
  const reader = commands.get(command)?.versions[version];
  if (reader === undefined) throw unreadable(command, version);
  // The service limits its own commands when it writes them.
  if (!isLifecycleCommand(command)) checkValues(payload, options.limits);
  const document = reader(payload, options);
  if (document.certname !== certname) {
    const [expected, found] = [excerpt(certname), excerpt(document.certname)];
    throw new Fault(
      'malformed',
      'wire.certname',
      `The command is for ${JSON.stringify(expected)}, its payload for ${JSON.stringify(found)}.`,
      { details: [{ path: 'certname', expected, found }] },
    );
  }
  return document;
}

/**
 * Reads a document that the log stores in sections. Returns undefined if the document is invalid, or if a section that
 * is given without its bytes differs from the stored section of the node. The caller must then read the whole document.
 */
export function readDocumentInParts(
  { command, version, certname }: CommandHeader,
  parts: DocumentParts,
  options: ReadOptions,
): WireDocument | undefined {
  try {
    checkValues(parts.rest, options.limits, {
      bytes: sum(parts.sections.map(({ length }) => length)),
      values: sum(parts.sections.map(({ weight }) => weight)),
    });
    const document = commands.get(command)?.inParts?.[version]?.(parts, options);
    return document?.certname === certname ? document : undefined;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

/**
 * Returns whether the sections of the document probably equal the stored sections of the node. The caller then need not
 * read these sections from the log.
 */
export function isUnchanged(
  { command, certname }: CommandHeader,
  sections: readonly DocumentPart[],
  { catalog: known, packageDigest, limits }: ReadOptions,
): boolean {
  if (command === kinds.facts.command)
    return sections.every((section) => recallInventory(certname, section, limits, packageDigest) !== undefined);
  return known !== undefined && sections.every((one) => areEqual(one, known.resources) || areEqual(one, known.edges));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function unreadable(command: string, version: number): Fault {
  const versions = commandCatalogue.get(command);
  if (versions === undefined)
    return new Fault('malformed', 'wire.command', `There is no command ${JSON.stringify(excerpt(command))}.`);
  const { minimum, current } = versions;
  const readable = minimum === current ? `version ${current}` : `versions ${minimum} to ${current}`;
  return new Fault('malformed', 'wire.version', `Version ${version} of ${command} cannot be read, only ${readable}.`);
}
