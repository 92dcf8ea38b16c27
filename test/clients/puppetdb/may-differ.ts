import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceFolder } from './conformance-folder';

/** By the id of a question: why the service answers otherwise than PuppetDB, whatever way the data came (docs/differences.md). */
export const knownDifferences = (
  JSON.parse(readFileSync(join(conformanceFolder, 'exceptions.json'), 'utf8')) as {
    queries: Readonly<Record<string, string>>;
  }
).queries;

/** PuppetDB's archive has no packages. */
export const withoutPackages = { packages: 0, 'package-inventory': 0 };

/**
 * Its archive has no packages, and of a key in a structured fact only what follows the first slash: `/boot` becomes `boot`.
 * So all that shows or counts packages differs, and all that shows structured facts or the hash of a factset.
 */
const leftOut =
  /^(package|facts|fact-|factsets|inventory|nodes\/[^/]+\/facts$|environments\/[^/]+\/(facts|factsets|inventory)$)/;
const leftOutInPql = /^ ?(package|facts \{\}|fact_(paths|contents) |factsets \{\}|inventory \{\}|\["from","package)/;

/** `question`: its id, which is its path and query. */
export const speaksOfWhatIsLeftOut = (question: string): boolean =>
  leftOut.test(question) || leftOutInPql.test(question);
