import { Fault } from '#fault';
import type { NewRecord } from './record';

const unstorableText = /[\0\p{Surrogate}]/u;

export function unstorable({ command, certname, headers }: NewRecord): Fault | undefined {
  const texts = [command, certname, ...Object.entries(headers ?? {}).flat()];
  if (!texts.some((text) => unstorableText.test(text))) return undefined;
  return new Fault(
    'malformed',
    'log.unstorable',
    'a NUL or half of a surrogate pair cannot be stored in a certname or header',
  );
}
