import { isFault } from '#fault';
import { newSigningSecret, signingKey, signMessage } from './signing-secret';

test('signs as the libraries of the specification do', () => {
  const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const body = Buffer.from('{"test": 2432232314}');
  expect(signMessage(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('a new secret has 32 bytes, and is another one each time', () => {
  const secrets = [newSigningSecret(), newSigningSecret()];
  expect(secrets.map((secret) => signingKey(secret).length)).toEqual([32, 32]);
  expect(secrets[0]).not.toBe(secrets[1]);
});

test.each([
  ['without its prefix', Buffer.alloc(32).toString('base64')],
  ['too short', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ['very long', `whsec_${'A'.repeat(1_000_000)}`],
  ['not in base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La LaSw'],
  ['empty', ''],
])('a secret that is %s is refused without being quoted', (_, secret) => {
  let refused: unknown;
  try {
    signingKey(secret);
  } catch (error) {
    refused = error;
  }
  if (!isFault(refused)) throw new Error('accepted');
  expect(refused.code).toBe('webhooks.secret');
  expect(secret === '' || !`${refused.message} ${refused.hint}`.includes(secret)).toBe(true);
});
