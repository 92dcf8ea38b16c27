import { certificateNames } from './certificate-names';
import { derElement, derElements, derName, derSerial, derTag, derTime } from './der';

const element = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => element(derTag.sequence, ...parts);
const timeOf = (tag: number, text: string): number => derTime(derElement(element(tag, Buffer.from(text))));

test('an element that ends before its length says is refused', () => {
  const whole = Buffer.from([derTag.sequence, 3, derTag.integer, 1, 7]);
  expect(derElement(whole).content).toEqual(whole.subarray(2));
  expect(() => derElement(whole.subarray(0, -1))).toThrow('an element is longer than what holds it');
});

test('a length may have up to four bytes, and must be definite', () => {
  const content = Buffer.alloc(300, 7);
  for (const length of [
    [0x82, 1, 44],
    [0x84, 0, 0, 1, 44],
  ]) {
    expect(derElement(Buffer.concat([Buffer.from([4, ...length]), content])).content).toEqual(content);
  }
  for (const length of [[0x85, 0, 0, 0, 1, 44], [0x80]]) {
    expect(() => derElement(Buffer.concat([Buffer.from([4, ...length]), content]))).toThrow('a length that DER');
  }
});

test('an element is required where there is none', () => {
  expect(() => derElement(Buffer.alloc(0))).toThrow('nothing where an element is expected');
  expect([...derElements(Buffer.alloc(0))]).toEqual([]);
});

test('a name is its parts in lower case; a part without a value is refused', () => {
  const part = (...members: readonly Buffer[]): Buffer => element(0x31, sequence(...members));
  const oid = element(derTag.oid, Buffer.from([0x55, 4, 3]));
  const name = sequence(part(oid, element(0x0c, Buffer.from(' Web1 '))), part(oid, element(0x13, Buffer.from('b'))));
  expect(derName(derElement(name))).toBe('550403=web1/550403=b');
  expect(() => derName(derElement(sequence(part(oid))))).toThrow('a part of a name is incomplete');
});

test('a serial number has no zeros in front, and the number 0 has one digit', () => {
  const serial = (...bytes: number[]): string => derSerial(derElement(element(derTag.integer, Buffer.from(bytes))));
  expect([serial(0x00, 0x8f), serial(0x0f), serial(0)]).toEqual(['8f', 'f', '0']);
});

test.each([
  [derTag.utcTime, '491231235959Z', '2049-12-31T23:59:59.000Z'],
  [derTag.utcTime, '500101000000Z', '1950-01-01T00:00:00.000Z'],
  [derTag.generalizedTime, '20500101000000Z', '2050-01-01T00:00:00.000Z'],
])('the time %i %s', (tag, text, iso) => {
  expect(new Date(timeOf(tag, text)).toISOString()).toBe(iso);
});

test.each([
  [derTag.utcTime, '20500101000000Z'],
  [derTag.generalizedTime, '500101000000Z'],
  [derTag.utcTime, '500101000000+0100'],
])('a time of another form is refused: %i %s', (tag, text) => {
  expect(() => timeOf(tag, text)).toThrow('a time that cannot be read');
});

test('a certificate without a subject is refused', () => {
  const [serial, empty] = [element(derTag.integer, Buffer.from([7])), sequence()];
  const parts = [serial, empty, empty, empty, empty];
  expect(certificateNames(sequence(sequence(...parts)))).toEqual({ serial: '7', issuer: '', subject: '' });
  const version = element(derTag.version, serial);
  expect(certificateNames(sequence(sequence(version, ...parts))).serial).toBe('7');
  expect(() => certificateNames(sequence(sequence(...parts.slice(0, -1))))).toThrow('the certificate is incomplete');
});
