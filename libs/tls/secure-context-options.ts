import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/** Of TLS 1.2 only those that keep past connections secret and authenticate what they encrypt. */
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

/** How the service speaks TLS, whatever its certificates. */
export function secureContextOptions(files: Pick<SecureContextOptions, 'cert' | 'key' | 'ca' | 'crl'>) {
  return {
    ...files,
    ciphers,
    honorCipherOrder: true,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    // A resumed session would bring a certificate that is not verified again, and a renegotiation another one.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  } satisfies SecureContextOptions;
}
