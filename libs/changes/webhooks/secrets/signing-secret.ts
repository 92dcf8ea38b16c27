import { createHmac, randomBytes } from 'node:crypto';
import { Fault } from '#fault';

const prefix = 'whsec_';
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const leastBytes = 24;
const mostBytes = 64;
const longestText = 200;

/** Returns a secret such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`. */
export const newSigningSecret = (): string => prefix + randomBytes(32).toString('base64');

/**
 * Returns the key that a secret contains. Throws `webhooks.secret` (kind `malformed`). The message does not quote the
 * secret.
 */
export function signingKey(secret: string): Buffer {
  const encoded = secret.slice(prefix.length);
  const key = Buffer.from(encoded, 'base64');
  const isValid =
    secret.startsWith(prefix) &&
    secret.length <= longestText &&
    base64.test(encoded) &&
    key.length >= leastBytes &&
    key.length <= mostBytes;
  if (isValid) return key;
  throw new Fault(
    'malformed',
    'webhooks.secret',
    `A secret is ${prefix} and ${leastBytes} to ${mostBytes} random bytes in base64.`,
    { hint: '`nodeledger subscriptions add` makes one if it gets none.' },
  );
}

export function signMessage(key: Buffer, id: string, timestamp: number, body: Buffer): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
}
