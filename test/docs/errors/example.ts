import { type FaultCode, isFault } from '#fault';

/** A fault as somebody met it: what they did and what they read. */
export interface Example {
  readonly code: FaultCode;
  /** What was sent or done, as a person would write it. */
  readonly given: string;
  /** Of an answer. */
  readonly status?: number;
  readonly text: string;
}

/** What differs from one run to the next: times, ports, names of databases, folders and ids. */
const settled: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-31T12:00:00.000Z'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '3f2c2a5e-0000-4000-8000-000000000000'],
  [/\b\d+ s apart/g, '3600 s apart'],
  [/PostgreSQL \([^)]*\)/g, 'PostgreSQL (127.0.0.1:5432, database nodeledger)'],
  [/\/\S*?\/nodeledger-(page|ca)-\w+/g, '/var/lib/nodeledger'],
  [/\b(on|by|before) \d{4}-\d\d-\d\d\b/g, '$1 2026-01-31'],
  [/\btest_[0-9a-f]{12}\b/g, 'nodeledger'],
  [/[\d.]+ [MGT]B of [\d.]+ [MGT]B are free/g, '1.94 GB of 50 GB are free'],
  [/p0-1-\d+\.log/g, 'p0-1-5000.log'],
  [/\d+ were written/g, '65536 were written'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080'],
  [/ECONNREFUSED 127\.0\.0\.1:\d+/g, 'ECONNREFUSED 127.0.0.1:5432'],
];

export const settle = (text: string): string =>
  settled.reduce((found, [pattern, constant]) => found.replace(pattern, constant), text);

/** Runs what must fail with this code, and gives what a person would read. */
export async function refusal(code: FaultCode, given: string, work: () => unknown): Promise<Example> {
  try {
    await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    if (error.code !== code) throw new Error(`${given}: ${error.code} in place of ${code}: ${error.message}`);
    const text = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
    return { code, given, text: settle(text) };
  }
  throw new Error(`${given}: no fault in place of ${code}`);
}
