/** Asks two servers the same questions, with the comparer of test/conformance, and returns the differences. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { conformanceFolder } from './conformance-folder';
import { extent } from './extent';
import type { Question } from './questions';

const run = promisify(execFile);

export interface Comparison {
  readonly total: number;
  /** By the id of the question: the difference. */
  readonly differences: Readonly<Record<string, string>>;
}

/** `room`: a folder for files. Only the form of times of receipt is compared. */
export async function compareAnswers(
  reference: { readonly url: string },
  candidate: { readonly url: string },
  questions: readonly Question[],
  room: string,
): Promise<Comparison> {
  const [corpus, out] = [join(room, 'questions.jsonl'), join(room, 'differences.json')];
  writeFileSync(corpus, questions.map((question) => JSON.stringify(question)).join('\n'));
  const script = [join(conformanceFolder, 'compare.mjs'), reference.url, candidate.url];
  const flags = ['--corpus', corpus, '--vars', join(conformanceFolder, 'datasets/public.vars.json')];
  const settings = ['--dialect', 'puppetdb', '--quiet', '--json', out];
  // Without a limit, the comparison of a failed test would still run during the next tests.
  await run(process.execPath, [...script, ...flags, ...settings], { timeout: extent.comparisonMs });
  const { total, failures } = JSON.parse(readFileSync(out, 'utf8')) as {
    total: number;
    failures: { id: string; why: string[] }[];
  };
  return { total, differences: Object.fromEntries(failures.map(({ id, why }) => [id, why.join('; ')])) };
}
