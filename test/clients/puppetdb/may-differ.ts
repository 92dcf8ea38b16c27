import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceFolder } from './conformance-folder';

/** By the id of a question: why the service answers it in another way than PuppetDB (docs/differences.md). */
export const mayDiffer = (
  JSON.parse(readFileSync(join(conformanceFolder, 'exceptions.json'), 'utf8')) as {
    queries: Readonly<Record<string, string>>;
  }
).queries;

/** The archive of PuppetDB has no packages. */
export const withoutPackages = { packages: 0, 'package-inventory': 0 };

/**
 * The archive of PuppetDB has no packages. So everything that shows or counts packages differs from what PuppetDB answered before
 * it wrote the archive, and the hash of a factset, of which packages are a part.
 */
const leftOut = /^(package|factsets|environments\/[^/]+\/factsets$)/;
const leftOutInPql = /^ ?(package|factsets \{\}|\["from","package)/;

/** `question`: its id, which is its path and query. */
export const speaksOfWhatIsLeftOut = (question: string): boolean =>
  leftOut.test(question) || leftOutInPql.test(question);
