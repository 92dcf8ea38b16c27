import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/** All ciphers for TLS 1.2 have forward secrecy and authenticated encryption. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');

export function secureContextOptions(files: Pick<SecureContextOptions, 'cert' | 'key' | 'ca' | 'crl'>) {
  return {
    ...files,
    ciphers,
    honorCipherOrder: true,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    // No tickets, because a resumed session would skip the verification of the certificate. No renegotiation, because a
    // client could change its certificate on an open connection.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  } satisfies SecureContextOptions;
}
