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

test.each([
  ['version 1, which has no version field', fields],
  ['version 2', [integer(1), ...fields]],
])('reads a list of %s', (_, parts) => {
  const list = readRevocationList(sequence(sequence(...parts)));
  expect(list).toEqual({ issuer: '', serials: new Set(['7']) });
});
