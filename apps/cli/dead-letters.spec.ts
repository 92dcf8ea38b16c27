import type { Letter } from '#admin';
import { letterDetails, letterTable } from './dead-letters/letter-table';

const letter = (over: Partial<Letter> = {}): Letter => ({
  name: '3-17',
  uuid: '00000000-0000-4000-8000-000000000001',
  command: 'replace facts',
  version: 5,
  certname: 'web1.test',
  received_at: '2026-01-31T12:00:00.000Z',
  rejected_at: '2026-01-31T12:00:01.250Z',
  last_rejected_at: '2026-01-31T12:00:01.250Z',
  retried_at: null,
  attempts: 1,
  error: 'the payload is not JSON',
  exception: 'wire.not-json: the payload is not JSON',
  encoding: 'gzip',
  payload_bytes: 512,
  headers: { 'producer-timestamp': '2026-01-31T11:59:59Z' },
  ...over,
});

test('prints letters in columns, cut to the width of the terminal unless it is unlimited (--wide)', () => {
  const letters = [letter(), letter({ name: '11-2', error: `long\nand ${'x'.repeat(200)}`, certname: 'y'.repeat(60) })];
  const lines = letterTable({ total: 2, offset: 0, letters }, 130).split('\n');
  expect(lines[0]).toMatch(/^NAME {2}REJECTED +COMMAND +CERTNAME +ATTEMPTS +ERROR$/);
  expect(lines[1]).toMatch(/^3-17 {2}2026-01-31T12:00:01Z {2}replace facts {2}web1\.test +1 +the payload is not JSON$/);
  expect(lines[2]).toMatch(/^11-2 .* y{39}… .* long and x+…$/);
  expect(lines[2]).toHaveLength(130);
  expect(lines[3]).toBe('2 in all');
  const wide = letterTable({ total: 2, offset: 0, letters }, Infinity);
  expect(wide).toMatch(/ y{60} .* long and x{200}\n/);
});

test('reports how many letters the table does not show', () => {
  expect(letterTable({ total: 0, offset: 0, letters: [] })).toBe('no dead letters\n');
  expect(letterTable({ total: 9, offset: 4, letters: [letter()] })).toMatch(/\n5 to 5 of 9\n$/);
  expect(letterTable({ total: 9, offset: 20, letters: [] })).toMatch(/\nnone from 20 on, 9 in all\n$/);
});

test('prints all properties of a letter without control characters', () => {
  const text = letterDetails(
    letter({ attempts: 3, retried_at: '2026-02-01T00:00:00.000Z', error: 'a\u001b[31m\u009b31m' }),
  );
  expect(text).toContain(
    'attempts            3, rejected last 2026-01-31T12:00:01.250Z, retried 2026-02-01T00:00:00.000Z\n',
  );
  expect(text).toContain('producer-timestamp  2026-01-31T11:59:59Z\n');
  expect(text).toContain('payload             512 bytes, gzip\n');
  expect(text).not.toMatch(/[\u001b\u009b]/);
});
