import { parse } from 'yaml';
import { Fault } from '#fault';
import { AccessPolicy } from '#jolokia';

/** `text` is YAML, or JSON, which YAML includes. Fault: `metrics.policy` (malformed). */
export function readPolicy(text: string): AccessPolicy {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new Fault('malformed', 'metrics.policy', `The file of NODELEDGER_METRICS_POLICY is not YAML: ${reason}`, {
      hint: 'docs/metrics.md describes its form.',
    });
  }
  return AccessPolicy.read(document);
}
