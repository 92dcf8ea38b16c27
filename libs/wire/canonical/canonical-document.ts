import type { IsoTime, JsonText } from '../documents';
import { payloadText } from '../payload-text';
import { catalogVersions, readCommand, type CommandHeader, type ReadOptions } from '../read-command';
import { canonicalCatalog } from './canonical-catalog';
import { canonicalFacts } from './canonical-facts';
import { canonicalInputs } from './canonical-inputs';
import { canonicalReport } from './canonical-report';

export interface CanonicalOptions extends Omit<ReadOptions, 'catalog'> {
  readonly receivedAt: IsoTime;
}

/**
 * Converts a factset, catalog, report or catalog inputs of any version to the newest version, with only stored members,
 * sorted keys, and one spelling for each value. A second conversion changes nothing. Throws the faults of
 * `readCommand`.
 */
export function canonicalDocument(
  header: CommandHeader,
  payload: Buffer,
  { receivedAt, ...options }: CanonicalOptions,
): JsonText {
  const version =
    header.command === 'replace catalog' ? catalogVersions.find((one) => one.version === header.version) : undefined;
  if (version !== undefined) return canonicalCatalog(payloadText(payload), version, options.limits);
  const document = readCommand(header, payload, options);
  switch (document.kind) {
    case 'facts':
      return canonicalFacts(document);
    case 'report':
      return canonicalReport(document, payloadText(payload));
    case 'inputs':
      return canonicalInputs(document, receivedAt);
    default:
      throw new Error(`a command of kind ${document.kind} is no document of a node`);
  }
}
