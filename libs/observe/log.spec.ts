import { Fault } from '#fault';
import { LineForm } from './line-form';
import { openLog } from './log';

function raise(message: string, code: string): never {
  throw Object.assign(new Error(message), { code });
}

function lines(): { text: string[]; write(line: string): void } {
  const text: string[] = [];
  return { text, write: (line) => void text.push(line) };
}

test('a line is JSON with level, time and fields', () => {
  const out = lines();
  openLog({ level: 'info', destination: out }).info({ uuid: 'u' }, 'stored');
  expect(JSON.parse(out.text[0] ?? '')).toMatchObject({
    level: 30,
    uuid: 'u',
    msg: 'stored',
    time: expect.stringMatching(/Z$/),
  });
});

test('what quotes payloads stays out: details of faults, details and context of database errors', () => {
  const out = lines();
  const log = openLog({ level: 'info', destination: out });
  const database = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (x)=(secret1)',
    where: 'secret2',
  });
  log.error({ err: new Fault('malformed', 'wire.shape', 'bad', { details: ['secret3'], cause: database }) }, 'oh');
  expect(out.text[0]).toContain('wire.shape');
  expect(out.text[0]).toContain('23505');
  expect(out.text[0]).not.toMatch(/secret/);
});

test.each<[string, () => void]>([
  ['a data exception of PostgreSQL', () => raise('invalid input syntax for type integer: "secret"', '22P02')],
  ['the same in another language', () => raise('ungültige Eingabesyntax für Typ integer: »secret«', '22P02')],
  ['a text that is no JSON', () => JSON.parse('{"a": secret}')],
  [
    'one below another',
    () => {
      try {
        raise('secret\n    at secret (x:1:1)', '22003');
      } catch (cause) {
        throw new Error('outer', { cause });
      }
    },
  ],
  [
    'what is no error',
    () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- somebody might
      throw 'secret';
    },
  ],
])('a value that an error quotes stays out, where it happened does not: %s', (_what, fail) => {
  const out = lines();
  let err: unknown;
  try {
    fail();
  } catch (error) {
    err = error;
  }
  openLog({ level: 'info', destination: out }).error({ err }, 'oh');
  expect(out.text[0]).toContain('oh');
  expect(out.text[0]).not.toContain('secret');
  if (err instanceof Error) expect(out.text[0]).toContain('log.spec.ts');
});

test('silent writes nothing', () => {
  const out = lines();
  openLog({ level: 'silent', destination: out }).fatal('x');
  expect(out.text).toEqual([]);
});

test('for a terminal, lines are plain', () => {
  const out = lines();
  const log = openLog({ level: 'info', destination: new LineForm(out) });
  log.warn({ uuid: 'u', n: 3 }, 'rejected');
  log.error({ err: new Fault('broken', 'log.append', 'no disk') }, 'stopping');
  expect(out.text[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}rejected \(uuid=u, n=3\)\n$/);
  expect(out.text[1]).toMatch(/error stopping: no disk\n$/);
});

test('what clients send writes no line of its own and no control sequence to a terminal', () => {
  const out = lines();
  const log = openLog({ level: 'info', destination: new LineForm(out) });
  log.warn({ certname: 'a\n12:00:00 info  all is well', list: ['\u009b31m'] }, 'rejected');
  log.error({ err: new Fault('malformed', 'wire.shape', 'bad \u001b[2J\nsecond line') }, 'oh');
  expect(out.text[0]).toMatch(/ \(certname=a\\u000a12:00:00 info {2}all is well, list=\["\\u009b31m"\]\)\n$/);
  expect(out.text[1]).toContain('bad \\u001b[2J\nsecond line');
  expect(out.text.join('').replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});
