import { derTag } from './der';
import { readRevocationList } from './revocation-list';

const element = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => element(derTag.sequence, ...parts);
const integer = (value: number): Buffer => element(derTag.integer, Buffer.from([value]));
const time = element(derTag.utcTime, Buffer.from('260101000000Z'));
const fields = [sequence(), sequence(), time, sequence(sequence(integer(7), time))];

test('a list without its time of issue is refused', () => {
  expect(() => readRevocationList(sequence(sequence(...fields.slice(0, 2))))).toThrow('the list is incomplete');
  expect(() => readRevocationList(sequence(sequence(sequence(), sequence(), integer(7))))).toThrow(RangeError);
});

test('reads when the next list is due', () => {
  const next = element(derTag.generalizedTime, Buffer.from('20500101000000Z'));
  const [algorithm, issuer, issued, revoked] = fields as [Buffer, Buffer, Buffer, Buffer];
  const list = readRevocationList(sequence(sequence(algorithm, issuer, issued, next, revoked)));
  expect(list).toEqual({ issuer: '', serials: new Set(['7']), nextUpdate: Date.UTC(2050, 0, 1) });
});

test.each([
  ['version 1, which has no version field', fields],
  ['version 2', [integer(1), ...fields]],
])('reads a list of %s', (_, parts) => {
  const list = readRevocationList(sequence(sequence(...parts)));
  expect(list).toEqual({ issuer: '', serials: new Set(['7']) });
});
