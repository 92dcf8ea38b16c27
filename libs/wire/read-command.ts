import { excerpt, Fault } from '#fault';
import { defaultLimits, type Limits } from '#limits';
import { catalogV6 } from './catalog/v6';
import { catalogV7 } from './catalog/v7';
import { catalogV8 } from './catalog/v8';
import { catalogV9, readCatalog, type CatalogVersion } from './catalog/v9';
import { commandCatalogue } from './command-catalogue';
import { readDeactivation } from './deactivate/v3';
import type { CatalogSections, WireDocument } from './documents';
import { readExpiration } from './expiration/v1';
import { factsV4 } from './facts/v4';
import { factsV5, readFacts, type FactsVersion } from './facts/v5';
import { readCatalogInputs } from './inputs/v1';
import { readAgeLimits } from './lifecycle/age-limits';
import { isLifecycleCommand } from './lifecycle/commands';
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

type Reader = (payload: Buffer, options: ReadOptions) => WireDocument;

const facts =
  (version: FactsVersion): Reader =>
  (payload, { dropFact, limits }) =>
    readFacts(payloadText(payload), version, dropFact, limits);
const catalog =
  (version: CatalogVersion): Reader =>
  (payload, { catalog, limits, onHash }) =>
    readCatalog(payload, version, catalog, limits, onHash);
const report =
  (version: ReportVersion): Reader =>
  (payload, { limits }) =>
    readReport(payloadText(payload), version, limits);

/** Versions of `replace catalog` that can be read. */
export const catalogVersions: ReadonlyMap<number, CatalogVersion> = new Map(
  [catalogV6, catalogV7, catalogV8, catalogV9].map((one) => [one.version, one]),
);

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['replace facts 4', facts(factsV4)],
  ['replace facts 5', facts(factsV5)],
  ...[...catalogVersions.values()].map((one): [string, Reader] => [`replace catalog ${one.version}`, catalog(one)]),
  ['store report 5', report(reportV5)],
  ['store report 6', report(reportV6)],
  ['store report 7', report(reportV7)],
  ['store report 8', report(reportV8)],
  ['deactivate node 3', (payload) => readDeactivation(payloadText(payload))],
  ['configure expiration 1', (payload) => readExpiration(payloadText(payload))],
  ['replace catalog inputs 1', (payload, { limits }) => readCatalogInputs(payloadText(payload), limits)],
  ['expire node 1', (payload) => readNodeExpiry(payloadText(payload))],
  ['purge node 1', (payload) => readNodePurge(payloadText(payload))],
  ['delete node 1', (payload) => readNodeDeletion(payloadText(payload))],
  ['purge reports 1', (payload) => readReportPurge(payloadText(payload))],
  ['restore node 1', (payload) => readNodeRestoration(payloadText(payload))],
  ['apply age limits 1', (payload) => readAgeLimits(payloadText(payload))],
  ['restore nodes 1', (payload) => readNodesRestoration(payloadText(payload))],
]);

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
  const reader = readers.get(`${command} ${version}`);
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
