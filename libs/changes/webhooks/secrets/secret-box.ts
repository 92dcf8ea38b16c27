import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Fault } from '#fault';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** The first byte of a sealed secret. It identifies the format, so that later releases can use another format. */
const form = 1;
const mostKeys = 10;

/**
 * Encrypts the secrets of subscriptions (docs/decisions/0011). The encryption authenticates the id of the subscription,
 * so a sealed secret cannot be opened for another subscription.
 */
export class SecretBox {
  private constructor(private readonly keys: readonly [Buffer, ...Buffer[]]) {}

  /**
   * `text` contains one key of 32 bytes on each line, in base64 or hexadecimal. The first key seals secrets, and every
   * key can open them. Throws `webhooks.key`, which does not quote the text.
   */
  static parse(text: string, path: string): SecretBox {
    const lines = text.split('\n').map((line) => line.trim());
    const [first, ...others] = lines.filter((line) => line !== '' && !line.startsWith('#')).map(readKey);
    if (first === undefined || others.length >= mostKeys || [first, ...others].includes(undefined)) {
      throw new Fault('malformed', 'webhooks.key', `${path} has no key of ${keyBytes} bytes on each line`, {
        hint: `Make one with \`openssl rand -base64 ${keyBytes}\`. A file has at most ${mostKeys} keys.`,
      });
    }
    return new SecretBox([first, ...(others as Buffer[])]);
  }

  seal(secret: string, subscription: string): Buffer {
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, this.keys[0], iv, { authTagLength: tagBytes });
    sealing.setAAD(Buffer.from(subscription));
    const sealed = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
    return Buffer.concat([Buffer.from([form]), iv, sealing.getAuthTag(), sealed]);
  }

  /** Decrypts a secret. Throws `webhooks.sealed` (kind `conflict`) if no key opens it. */
  open(sealed: Buffer, subscription: string): string {
    for (const key of this.keys) {
      const secret = openWith(key, sealed, subscription);
      if (secret !== undefined) return secret;
    }
    throw new Fault('conflict', 'webhooks.sealed', 'The secret of the subscription was encrypted with another key.', {
      hint: 'Add that key to the file of NODELEDGER_WEBHOOK_KEY_FILE, or give the subscription a new secret.',
    });
  }
}

function openWith(key: Buffer, sealed: Buffer, subscription: string): string | undefined {
  if (sealed[0] !== form || sealed.length < 1 + ivBytes + tagBytes) return undefined;
  const tagAt = 1 + ivBytes;
  const opening = createDecipheriv(cipher, key, sealed.subarray(1, tagAt), { authTagLength: tagBytes });
  opening.setAAD(Buffer.from(subscription));
  opening.setAuthTag(sealed.subarray(tagAt, tagAt + tagBytes));
  try {
    return Buffer.concat([opening.update(sealed.subarray(tagAt + tagBytes)), opening.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function readKey(text: string): Buffer | undefined {
  const isHex = /^[0-9a-fA-F]{64}$/.test(text);
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const key = Buffer.from(text, isHex ? 'hex' : 'base64');
  return key.length === keyBytes ? key : undefined;
}
