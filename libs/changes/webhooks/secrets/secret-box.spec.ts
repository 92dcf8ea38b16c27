import { randomBytes } from 'node:crypto';
import { SecretBox } from './secret-box';

const base64 = (): string => randomBytes(32).toString('base64');
const [first, second] = [base64(), base64()];
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('opens what it has sealed, for the same subscription only', () => {
  const box = SecretBox.parse(`# webhooks\n${first}\n`, 'key');
  const sealed = box.seal(secret, 'a');
  expect(sealed.toString('latin1')).not.toContain('whsec');
  expect(box.open(sealed, 'a')).toBe(secret);
  expect(() => box.open(sealed, 'b')).toThrow('another key');
  expect(box.seal(secret, 'a').equals(sealed)).toBe(false);
});

test('the first key seals, and all keys open', () => {
  const before = SecretBox.parse(first, 'key').seal(secret, 'a');
  const box = SecretBox.parse(`${second}\n${first}`, 'key');
  expect(box.open(before, 'a')).toBe(secret);
  const after = box.seal(secret, 'a');
  expect(SecretBox.parse(second, 'key').open(after, 'a')).toBe(secret);
  expect(() => SecretBox.parse(first, 'key').open(after, 'a')).toThrow('another key');
});

test('a changed byte is found, whichever it is', () => {
  const box = SecretBox.parse(randomBytes(32).toString('hex'), 'key');
  const sealed = box.seal(secret, 'a');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => box.open(changed, 'a')).toThrow('another key');
  }
  for (let length = 0; length < sealed.length; length++)
    expect(() => box.open(sealed.subarray(0, length), 'a')).toThrow('another key');
});

test.each(
  [
    ['', 'nothing'],
    ['# only a comment', 'a comment'],
    [randomBytes(31).toString('base64'), 'a short key'],
    [`${first}\nnonsense`, 'a second line that is no key'],
    [Array.from({ length: 11 }, base64).join('\n'), 'eleven keys'],
  ].map(([text, what]) => ({ text: text as string, what })),
)('a file with $what is refused without being quoted', ({ text }) => {
  expect(() => SecretBox.parse(text, '/k')).toThrow(
    expect.objectContaining({ code: 'webhooks.key', message: '/k has no key of 32 bytes on each line' }) as Error,
  );
});
