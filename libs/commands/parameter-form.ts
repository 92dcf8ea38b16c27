import { canonicalCommandName } from '#wire';
import type { PayloadEncoding } from '#log';
import { checkEnvelope, readVersion, readWait } from './envelope';
import { recordHeaders } from './record-headers';
import type { Submission } from './submission';

export const parameterNames = [
  'command',
  'version',
  'certname',
  'checksum',
  'secondsToWaitForCompletion',
  'producer-timestamp',
] as const;
const known: readonly string[] = parameterNames;

function valueOf(parameters: URLSearchParams, name: string): string | string[] | undefined {
  const values = parameters.getAll(name);
  return values.length > 1 ? values : values[0];
}
const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/**
 * Parses a command in the preferred form: parameters in the URL, and the payload as the body. Throws `command.invalid`.
 */
export function readParameterForm(
  parameters: URLSearchParams,
  body: { readonly payload: Buffer; readonly encoding: PayloadEncoding },
): Submission {
  const named = valueOf(parameters, 'command');
  const envelope = checkEnvelope({
    command: typeof named === 'string' ? canonicalCommandName(named) : named,
    certname: valueOf(parameters, 'certname'),
    version: readVersion(textOf(valueOf(parameters, 'version'))),
    foreign: [...new Set(parameters.keys())].filter((name) => !known.includes(name)),
  });
  const checksum = textOf(valueOf(parameters, 'checksum'));
  return {
    ...envelope,
    ...body,
    waitMs: readWait(textOf(valueOf(parameters, 'secondsToWaitForCompletion')), envelope),
    headers: recordHeaders(textOf(valueOf(parameters, 'producer-timestamp'))),
    ...(checksum === undefined ? {} : { checksum }),
  };
}
