import { isUtf8 } from 'node:buffer';
import type { Fault } from '#fault';
import { sliceMember } from '#wire';
import { checkEnvelope, invalid, readVersion, readWait } from './envelope';
import { recordHeaders } from './record-headers';
import type { Submission } from './submission';

const known = [
  'command',
  'version',
  'payload',
  'certname',
  'checksum',
  'secondsToWaitForCompletion',
  'producer-timestamp',
];
const prefix = 'Command was submitted without query parameters (old format).';

type JsonMap = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function incomplete(members: JsonMap): Fault {
  const certname = isMap(members['payload']) ? members['payload']['certname'] : undefined;
  return invalid(
    { command: members['command'], certname },
    `${prefix} The request body must be a JSON map with required keys: command, version, payload.`,
  );
}

function parse(body: Buffer): { text: string; members: JsonMap } {
  const nothing = incomplete({});
  if (!isUtf8(body)) throw nothing;
  const text = body.toString('utf8');
  let members: unknown;
  try {
    members = JSON.parse(text);
  } catch {
    throw nothing;
  }
  if (!isMap(members)) throw nothing;
  return { text, members };
}

/** A member that may be given as text or as a number. */
const plainText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/**
 * The deprecated form: one JSON map of command, version and payload, inflated. The payload goes on as the very text
 * that stood there; its own certname says whose it is. Faults: `command.invalid`.
 */
export function readBodyForm(body: Buffer): Submission {
  const { text, members } = parse(body);
  const { command, version, payload } = members;
  if ([command, version, payload].some((value) => value === undefined || value === null)) throw incomplete(members);
  if (!isMap(payload))
    throw invalid({ command, certname: undefined }, `${prefix} The payload value must be a JSON map.`);
  const envelope = checkEnvelope({
    command,
    certname: payload['certname'],
    // Of the text, so that 3.0 is no integer.
    version: typeof version === 'number' ? readVersion(sliceMember(text, 'version')?.trim()) : undefined,
    foreign: Object.keys(members).filter((name) => !known.includes(name)),
  });
  const checksum = members['checksum'];
  return {
    ...envelope,
    encoding: 'identity',
    payload: Buffer.from(sliceMember(text, 'payload') ?? '', 'utf8'),
    waitMs: readWait(plainText(members['secondsToWaitForCompletion']), envelope),
    headers: recordHeaders(members['producer-timestamp']),
    ...(typeof checksum === 'string' ? { checksum } : {}),
  };
}
