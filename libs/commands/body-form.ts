import { isUtf8 } from 'node:buffer';
import { isFault, type Fault } from '#fault';
import { sliceMembers, unescapeString, type MemberTexts } from '#wire';
import { checkEnvelope, invalid, JsonText, readVersion, readWait } from './envelope';
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

type Members = ReadonlyMap<string, string>;

const isMap = (text: string | undefined): boolean => text?.startsWith('{') === true;

/** Returns the decoded text of a string, and the JSON text of any other value. */
function valueOf(member: string | undefined): string | null | undefined | JsonText {
  if (member === undefined) return undefined;
  if (member === 'null') return null;
  return member.startsWith('"') ? unescapeString(member.slice(1, -1)) : new JsonText(member);
}

/** Returns the text of a string or a number, and undefined for other values. */
function plainText(member: string | undefined): string | undefined {
  const value = valueOf(member);
  if (value instanceof JsonText) return /^[-\d]/.test(value.text) ? value.text : undefined;
  return value ?? undefined;
}

const certnameOf = (payload: string | undefined): ReturnType<typeof valueOf> =>
  payload === undefined ? undefined : valueOf(sliceMembers(payload, ['certname'])?.found.get('certname'));

function incomplete(members: Members): Fault {
  const payload = members.get('payload');
  return invalid(
    { command: valueOf(members.get('command')), certname: certnameOf(payload) },
    `${prefix} The request body must be a JSON map with required keys: command, version, payload.`,
  );
}

function slice(body: Buffer): MemberTexts {
  const nothing = incomplete(new Map());
  if (!isUtf8(body)) throw nothing;
  try {
    const members = sliceMembers(body.toString('utf8'), known);
    if (members !== undefined) return members;
  } catch (error) {
    if (!isFault(error) || error.code !== 'wire.json') throw error;
  }
  throw nothing;
}

/**
 * Parses a decompressed command in the old form: a JSON map with the members command, version and payload. The payload
 * stays text. Throws `command.invalid`, `wire.limit` or `wire.number`.
 */
export function readBodyForm(body: Buffer): Submission {
  const { found, others } = slice(body);
  const [command, version, payload] = ['command', 'version', 'payload'].map((name) => found.get(name));
  if (payload === undefined || [command, version, payload].some((text) => text === undefined || text === 'null'))
    throw incomplete(found);
  if (!isMap(payload))
    throw invalid(
      { command: valueOf(command), certname: undefined },
      `${prefix} The payload value must be a JSON map.`,
    );
  const envelope = checkEnvelope({
    command: valueOf(command),
    certname: certnameOf(payload),
    // Reads the version from its JSON text. A JSON parser would convert 3.0, which must be refused, to 3.
    version: readVersion(version),
    foreign: others,
  });
  const checksum = valueOf(found.get('checksum'));
  return {
    ...envelope,
    encoding: 'identity',
    payload: Buffer.from(payload, 'utf8'),
    waitMs: readWait(plainText(found.get('secondsToWaitForCompletion')), envelope),
    headers: recordHeaders(valueOf(found.get('producer-timestamp'))),
    ...(typeof checksum === 'string' ? { checksum } : {}),
  };
}
