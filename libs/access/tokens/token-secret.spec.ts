import { hashOf, newSecret } from './token-secret';

test('each token is another text, and its hash is stable', () => {
  const [one, other] = [newSecret(), newSecret()];
  expect(one).not.toBe(other);
  expect(hashOf(one)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf(one)).toBe(hashOf(one));
});

test('a text that cannot be a token has no hash', () => {
  const secret = newSecret();
  for (const text of [
    '',
    'nlt_',
    secret.slice(4),
    secret.slice(0, -1),
    `${secret}x`,
    ` ${secret}`,
    secret.toUpperCase(),
  ])
    expect(hashOf(text)).toBeUndefined();
});
