import { excerpt, Fault } from '#fault';
import { defaultLimits, type Limits } from '#limits';
import { catalogV6 } from './catalog/v6';
import { catalogV7 } from './catalog/v7';
import { catalogV8 } from './catalog/v8';
import { catalogV9, readCatalog, type CatalogVersion } from './catalog/v9';
import { commandCatalogue } from './command-catalogue';
import { readDeactivation } from './deactivate/v3';
import type { CatalogSections, WireCatalog, WireDocument, WireFactset, WireReport } from './documents';
import { readExpiration } from './expiration/v1';
import { factsV4 } from './facts/v4';
import { factsV5, readFacts, type FactsVersion } from './facts/v5';
import { readCatalogInputs } from './inputs/v1';
import { readAgeLimits } from './lifecycle/age-limits';
import { isLifecycleCommand, lifecycleCommands } from './lifecycle/commands';
import {
  readNodeDeletion,
  readNodeExpiry,
  readNodePurge,
  readNodeRestoration,
  readNodesRestoration,
  readReportPurge,
} from './lifecycle/v1';
import { payloadText } from './payload-text';
import { reportV5 } from './report/v5';
import { reportV6 } from './report/v6';
import { reportV7 } from './report/v7';
import { readReport, reportV8, type ReportVersion } from './report/v8';
import { checkValues } from './value-count';

/** What a record says of its payload. */
export interface CommandHeader {
  /** Canonical name, with spaces. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
}

/** What decides how a document is read, besides the document. */
export interface ReadOptions {
  readonly limits: Limits;
  /** What the caller holds of the node already. */
  readonly catalog?: CatalogSections & { readonly hash: string };
  /** True for the names of facts that are dropped before anything is made of a factset, its hash included. */
  readonly dropFact?: ((name: string) => boolean) | undefined;
  /** Told when the hashing of a catalog begins (false) and when it has ended (true), for whoever measures it. */
  readonly onHash?: (ended: boolean) => void;
}

type Reader<D extends WireDocument> = (payload: Buffer, options: ReadOptions) => D;

const facts =
  (version: FactsVersion): Reader<WireFactset> =>
  (payload, { dropFact, limits }) =>
    readFacts(payloadText(payload), version, dropFact, limits);
const catalog =
  (version: CatalogVersion): Reader<WireCatalog> =>
  (payload, { catalog, limits, onHash }) =>
    readCatalog(payload, version, catalog, limits, onHash);
const report =
  (version: ReportVersion): Reader<WireReport> =>
  (payload, { limits }) =>
    readReport(payloadText(payload), version, limits);
const text =
  <D extends WireDocument>(read: (text: string, limits: Limits) => D): Reader<D> =>
  (payload, { limits }) =>
    read(payloadText(payload), limits);

/** Versions of `replace catalog` that can be read. */
export const catalogVersions: ReadonlyMap<number, CatalogVersion> = new Map(
  [catalogV6, catalogV7, catalogV8, catalogV9].map((one) => [one.version, one]),
);

type Kind = WireDocument['kind'];

/** The command that brings documents of a kind, and the readers of its versions. */
interface KindReaders<D extends WireDocument> {
  readonly command: string;
  readonly versions: Readonly<Record<number, Reader<D>>>;
}

const kinds: { readonly [K in Kind]: KindReaders<Extract<WireDocument, { readonly kind: K }>> } = {
  facts: { command: 'replace facts', versions: { 4: facts(factsV4), 5: facts(factsV5) } },
  catalog: {
    command: 'replace catalog',
    versions: Object.fromEntries([...catalogVersions].map(([version, one]) => [version, catalog(one)])),
  },
  report: {
    command: 'store report',
    versions: { 5: report(reportV5), 6: report(reportV6), 7: report(reportV7), 8: report(reportV8) },
  },
  deactivation: { command: 'deactivate node', versions: { 3: text(readDeactivation) } },
  expiration: { command: 'configure expiration', versions: { 1: text(readExpiration) } },
  inputs: { command: 'replace catalog inputs', versions: { 1: text(readCatalogInputs) } },
  'node expiry': { command: lifecycleCommands.expireNode.command, versions: { 1: text(readNodeExpiry) } },
  'node purge': { command: lifecycleCommands.purgeNode.command, versions: { 1: text(readNodePurge) } },
  'node deletion': { command: lifecycleCommands.deleteNode.command, versions: { 1: text(readNodeDeletion) } },
  'report purge': { command: lifecycleCommands.purgeReports.command, versions: { 1: text(readReportPurge) } },
  'node restoration': { command: lifecycleCommands.restoreNode.command, versions: { 1: text(readNodeRestoration) } },
  'age limits': { command: lifecycleCommands.applyAgeLimits.command, versions: { 1: text(readAgeLimits) } },
  'nodes restoration': { command: lifecycleCommands.restoreNodes.command, versions: { 1: text(readNodesRestoration) } },
};

interface CommandReaders {
  readonly kind: Kind;
  readonly versions: Readonly<Record<number, Reader<WireDocument>>>;
}

const commands: ReadonlyMap<string, CommandReaders> = new Map(
  (Object.keys(kinds) as Kind[]).map((kind) => [kinds[kind].command, { kind, versions: kinds[kind].versions }]),
);

/** The kind of the documents that a command (its name, with spaces) brings; undefined if there is no such command. */
export const documentKindOf = (command: string): Kind | undefined => commands.get(command)?.kind;

/**
 * Takes the header of a command and its inflated payload, gives the checked document. Faults, all malformed:
 * `wire.command` and `wire.version` (nobody can read it), `wire.encoding`, `wire.json`, `wire.number`, `wire.limit` (more
 * of something than `limits` admit; decided by the payload alone), `wire.shape` (`details`: up to 20 problems with path,
 * expected, found), `wire.certname` (the payload is another node's). A known `catalog` lets what is as it was go unparsed
 * (see WireCatalog.content). Takes time in proportion to the payload.
 */
export function readCommand(
  header: CommandHeader,
  payload: Buffer,
  options: ReadOptions = { limits: defaultLimits },
): WireDocument {
  const { command, version, certname } = header;
  const reader = commands.get(command)?.versions[version];
  if (reader === undefined) throw unreadable(command, version);
  // What the service writes itself is bounded where it is written.
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

function unreadable(command: string, version: number): Fault {
  const versions = commandCatalogue.get(command);
  if (versions === undefined)
    return new Fault('malformed', 'wire.command', `There is no command ${JSON.stringify(excerpt(command))}.`);
  const { minimum, current } = versions;
  const readable = minimum === current ? `version ${current}` : `versions ${minimum} to ${current}`;
  return new Fault('malformed', 'wire.version', `Version ${version} of ${command} cannot be read, only ${readable}.`);
}
