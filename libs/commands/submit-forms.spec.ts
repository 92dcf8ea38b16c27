import { isFault } from '#fault';
import { answerFault } from '../http/fault-answer';
import { readBodyForm } from './body-form';
import { readParameterForm } from './parameter-form';

const payload = Buffer.from('{}');
const good = { command: 'replace_facts', version: '5', certname: 'n.example' };
type Parameters = Record<string, string | undefined>;

function parameters(over: Parameters, extra = ''): URLSearchParams {
  const found = new URLSearchParams(extra);
  for (const [name, value] of Object.entries({ ...good, ...over })) if (value !== undefined) found.append(name, value);
  return found;
}
const read = (over: Parameters, extra = '') =>
  readParameterForm(parameters(over, extra), { payload, encoding: 'identity' });

function refusal(reading: () => unknown): string {
  try {
    reading();
  } catch (error) {
    if (isFault(error) && error.kind === 'malformed') return error.message;
    throw error;
  }
  return 'accepted';
}

const names =
  'configure expiration, deactivate node, replace catalog, replace catalog inputs, replace facts, store report';

describe('parameters in the URL', () => {
  test('the payload stays as it came; the name gets its spaces', () => {
    expect(read({ 'producer-timestamp': '2024-01-01T00:00:00Z', checksum: 'abc' })).toEqual({
      command: 'replace facts',
      version: 5,
      certname: 'n.example',
      encoding: 'identity',
      payload,
      checksum: 'abc',
      waitMs: 0,
      headers: { 'producer-timestamp': '2024-01-01T00:00:00Z' },
    });
  });

  test.each([
    ['replace facts', '5', 5],
    ['replace_facts', '05', 5],
    ['replace_facts', '+5', 5],
    ['store_report', '5', 5],
    ['replace_catalog', '6', 6],
    ['replace_catalog', '2147483647', 2147483647],
    ['deactivate_node', '3', 3],
    ['configure_expiration', '1', 1],
    ['replace_catalog_inputs', '1', 1],
  ])('%s version %s is accepted', (command, version, number) => {
    expect(read({ command, version })).toMatchObject({ command: command.replaceAll('_', ' '), version: number });
  });

  const facts = 'Command "replace facts" for certname "n.example" is invalid. ';
  test.each<[string, Parameters, string, string]>([
    [
      'an unknown command',
      { command: 'nope' },
      '',
      `Command "nope" for certname "n.example" is invalid. Command must be one of: ${names}.`,
    ],
    [
      'capitals',
      { command: 'REPLACE_FACTS' },
      '',
      `Command "REPLACE FACTS" for certname "n.example" is invalid. Command must be one of: ${names}.`,
    ],
    [
      'two underscores',
      { command: 'replace__facts' },
      '',
      `Command "replace  facts" for certname "n.example" is invalid. Command must be one of: ${names}.`,
    ],
    [
      'no command name',
      { command: '' },
      '',
      `Command "" for certname "n.example" is invalid. Command must be one of: ${names}.`,
    ],
    [
      'two commands',
      {},
      'command=store_report',
      `Command ["store_report" "replace_facts"] for certname "n.example" is invalid. Command must be one of: ${names}.`,
    ],
    ['no version', { version: undefined }, '', `${facts}Version must be a valid integer.`],
    ['a fraction', { version: '5.0' }, '', `${facts}Version must be a valid integer.`],
    ['a blank', { version: ' 5' }, '', `${facts}Version must be a valid integer.`],
    ['a word', { version: 'five' }, '', `${facts}Version must be a valid integer.`],
    ['over 32 bits', { version: '4000000000' }, '', `${facts}Version must be a valid integer.`],
    ['two versions', {}, 'version=4', `${facts}Version must be a valid integer.`],
    [
      'an old version',
      { version: '3' },
      '',
      `${facts}Version 3 of command "replace facts" is retired. The minimum supported version is 4.`,
    ],
    [
      'a negative version',
      { version: '-1' },
      '',
      `${facts}Version -1 of command "replace facts" is retired. The minimum supported version is 4.`,
    ],
    [
      'no certname',
      { certname: undefined, version: 'x' },
      '',
      'Command "replace facts" for certname nil is invalid. Command is missing required parameters: certname.',
    ],
    [
      'a blank certname',
      { certname: ' \t' },
      '',
      'Command "replace facts" for certname " \\t" is invalid. Certname must be a non-empty string.',
    ],
    [
      'two certnames',
      {},
      'certname=x',
      'Command "replace facts" for certname ["x" "n.example"] is invalid. Certname must be a non-empty string.',
    ],
    [
      'NUL in the certname',
      { certname: 'a\0b' },
      '',
      'Command "replace facts" for certname "a\\u0000b" is invalid. Certname must not contain U+0000 or half a surrogate pair.',
    ],
    [
      'unknown parameters',
      { version: 'x' },
      'zeta=1&alpha=2&zeta=3',
      `${facts}Command has invalid parameters: zeta, alpha.`,
    ],
    [
      'a wait that is no number',
      { secondsToWaitForCompletion: 'abc' },
      '',
      `${facts}secondsToWaitForCompletion must be a number of seconds, not "abc".`,
    ],
    [
      'an empty wait',
      { secondsToWaitForCompletion: '' },
      '',
      `${facts}secondsToWaitForCompletion must be a number of seconds, not "".`,
    ],
  ])('%s is refused', (_what, over, extra, message) => expect(refusal(() => read(over, extra))).toBe(message));

  test.each([
    ['30', 30_000],
    ['0.5', 500],
    ['.1', 100],
    [' 1e-1 ', 100],
    ['0', 0],
    ['-1', 0],
    ['1e99', 2 ** 31 - 1],
  ])('a wait of %j seconds is %d ms', (secondsToWaitForCompletion, ms) =>
    expect(read({ secondsToWaitForCompletion }).waitMs).toBe(ms),
  );

  test.each(['a\u0000b', 'x'.repeat(100), 'é'])('producer-timestamp %j is not kept', (time) =>
    expect(read({ 'producer-timestamp': time }).headers).toEqual({}),
  );
});

describe('everything in the body', () => {
  const inner = '{ "certname" : "n.example", "n": 1.0, "big": 12345678901234567890 }';
  const body = (over: Record<string, string | undefined> = {}): Buffer => {
    const members = { command: '"deactivate node"', version: '3', payload: inner, ...over };
    const text = Object.entries(members).filter(([, value]) => value !== undefined);
    return Buffer.from(`{${text.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')}}`);
  };

  test('the payload goes on as its very text, and names the node', () => {
    const found = readBodyForm(body({ certname: '"other"', checksum: '"c"', secondsToWaitForCompletion: '2' }));
    expect(found).toMatchObject({
      command: 'deactivate node',
      version: 3,
      certname: 'n.example',
      encoding: 'identity',
      checksum: 'c',
      waitMs: 2000,
    });
    expect(found.payload.toString()).toBe(inner);
  });

  const required =
    'Command was submitted without query parameters (old format). The request body must be a JSON map with required keys: command, version, payload.';
  const node = 'Command "deactivate node" for certname "n.example" is invalid. ';
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), `Command nil for certname nil is invalid. ${required}`],
    ['no JSON', Buffer.from('{x'), `Command nil for certname nil is invalid. ${required}`],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), `Command nil for certname nil is invalid. ${required}`],
    ['a list', Buffer.from('[]'), `Command nil for certname nil is invalid. ${required}`],
    ['null', Buffer.from('null'), `Command nil for certname nil is invalid. ${required}`],
    ['a number', Buffer.from('5'), `Command nil for certname nil is invalid. ${required}`],
    ['no command', body({ command: undefined }), `Command nil for certname "n.example" is invalid. ${required}`],
    ['no version', body({ version: undefined }), `${node}${required}`],
    ['version null', body({ version: 'null' }), `${node}${required}`],
    ['no payload', body({ payload: undefined }), `Command "deactivate node" for certname nil is invalid. ${required}`],
    [
      'a payload of text',
      body({ payload: '"x"' }),
      'Command "deactivate node" for certname nil is invalid. Command was submitted without query parameters (old format). The payload value must be a JSON map.',
    ],
    [
      'a payload without certname',
      body({ payload: '{}' }),
      'Command "deactivate node" for certname nil is invalid. Command is missing required parameters: certname.',
    ],
    [
      'a certname that is a number',
      body({ payload: '{"certname":5}' }),
      'Command "deactivate node" for certname 5 is invalid. Certname must be a non-empty string.',
    ],
    [
      'half a surrogate pair',
      body({ payload: '{"certname":"\\ud800"}' }),
      'Command "deactivate node" for certname "\\ud800" is invalid. Certname must not contain U+0000 or half a surrogate pair.',
    ],
    [
      'an underscore in the name',
      body({ command: '"deactivate_node"' }),
      `Command "deactivate_node" for certname "n.example" is invalid. Command must be one of: ${names}.`,
    ],
    [
      'a name that is a number',
      body({ command: '5' }),
      `Command 5 for certname "n.example" is invalid. Command must be one of: ${names}.`,
    ],
    ['version as text', body({ version: '"3"' }), `${node}Version must be a valid integer.`],
    ['version as a fraction', body({ version: '3.0' }), `${node}Version must be a valid integer.`],
    [
      'an old version',
      body({ version: '1' }),
      `${node}Version 1 of command "deactivate node" is retired. The minimum supported version is 3.`,
    ],
    ['another member', body({ zeta: '1', alpha: 'null' }), `${node}Command has invalid parameters: zeta, alpha.`],
  ])('%s is refused', (_what, bytes, message) => expect(refusal(() => readBodyForm(bytes))).toBe(message));
});

describe('messages quote little of what was sent', () => {
  const long = 'x'.repeat(1_000_000);
  const nuls = '\\u0000'.repeat(10_000);
  /** JSON values in place of a text. */
  const values: readonly [string, string][] = [
    ['a deep list', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['a deep map', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
    ['a very deep map', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a text of NULs', `"${nuls}"`],
    ['a list of NULs', `["${nuls}"]`],
    ['lists of lists of NULs', `[${Array.from({ length: 100 }, () => `["${nuls}"]`).join()}]`],
    ['a list of maps', `[${Array.from({ length: 1_000 }, (_, n) => `{"${nuls}":${n}}`).join()}]`],
    ['a map of NULs', `{"a":"${nuls}"}`],
    ['a key of NULs', `{"${nuls}":1}`],
    ['digits', '7'.repeat(1_000)],
  ];
  const bodies = values.flatMap(([what, value]): [string, () => unknown][] =>
    Object.entries({
      command: `{"command":${value},"version":1,"payload":{}}`,
      version: `{"command":"replace facts","version":${value},"payload":{}}`,
      certname: `{"command":"replace facts","version":5,"payload":{"certname":${value}}}`,
      'certname without a version': `{"command":"replace facts","payload":{"certname":${value}}}`,
      payload: `{"command":"replace facts","version":5,"payload":${value}}`,
      'unknown member': `{"command":"replace facts","version":5,"payload":{"certname":"a"},"${nuls}":${value}}`,
    }).map(([place, body]) => [`${what} as ${place}`, () => readBodyForm(Buffer.from(body))]),
  );
  test.each<[string, () => unknown]>([
    ['a long name', () => read({ command: long })],
    ['a long certname, with a wrong version', () => read({ certname: long, version: 'x' })],
    ['a NUL certname, given twice', () => read({}, `certname=${'%00'.repeat(10_000)}`)],
    [
      'long and many unknown parameters',
      () => read({ [long]: '1', ...Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`p${n}`, '1'])) }),
    ],
    ['a wait', () => read({ secondsToWaitForCompletion: long })],
    ...bodies,
  ])('%s', (_, submit) => {
    let refused: unknown;
    try {
      submit();
    } catch (error) {
      refused = error;
    }
    if (!isFault(refused)) throw refused;
    expect(refused.kind).toBe('malformed');
    expect(refused.message).toMatch(/^Command |^Too large: more than 1000 levels/);
    // The message contains two excerpts and some words. The body escapes the excerpts once more.
    expect(refused.message.length).toBeLessThan(800);
    expect(answerFault(refused).body.length).toBeLessThan(2_000);
  });
});
