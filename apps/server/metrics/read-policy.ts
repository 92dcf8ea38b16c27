import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Fault } from '#fault';
import { AccessPolicy } from '#jolokia';

/** Reads a file in YAML, or JSON, which YAML includes. Faults: `metrics.policy` (malformed). */
export function readPolicy(file: string): AccessPolicy {
  let document: unknown;
  try {
    document = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new Fault('malformed', 'metrics.policy', `NODELEDGER_METRICS_POLICY cannot be read: ${reason}`, {
      hint: 'docs/metrics.md describes its form.',
    });
  }
  return AccessPolicy.read(document);
}
