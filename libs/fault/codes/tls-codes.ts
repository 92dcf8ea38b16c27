import { codeTable } from './code-entry';

const shows = ['start', 'service log', 'command line'] as const;

/**
 * If one of these errors occurs while the service runs, the service raises the alert `tls.files`, and continues to use
 * the previous files.
 */
export const tlsCodes = codeTable({
  'tls.file': {
    shows,
    meaning: 'The service cannot read a file with certificates, keys or certificate names.',
    remedy: 'Correct the path, or allow the user of the service to read the file.',
  },
  'tls.certificate': {
    shows,
    meaning: 'The certificate file does not contain a certificate.',
    remedy: 'Specify the right file, in PEM format.',
  },
  'tls.key': {
    shows,
    meaning: 'The private key is not valid, or is encrypted.',
    remedy: 'Specify the right file, in PEM format and without a passphrase.',
  },
  'tls.key-mismatch': {
    shows,
    meaning: 'The private key does not belong to the certificate.',
    remedy: 'Copy the certificate and the key from the same ssl directory.',
  },
  'tls.expired': {
    shows,
    meaning: 'The certificate of the service has expired.',
    remedy: 'Renew the certificate.',
  },
  'tls.not-yet-valid': {
    shows,
    meaning: 'The certificate of the service is not valid yet.',
    remedy: 'Check the clocks of this machine and of the machine that issued the certificate.',
  },
  'tls.authority': {
    shows,
    meaning: 'The CA file contains no certificate, or a certificate that is not valid.',
    remedy: 'Specify the right file, for example ca.pem from the ssl directory of an agent.',
  },
  'tls.issuer': {
    shows: ['command line'],
    meaning: 'None of the CAs signed the certificate.',
    remedy: 'Copy all files from the ssl directory of one agent.',
  },
  'tls.revocation-list': {
    shows,
    meaning: 'A revocation list is invalid or out of date, or one of the CAs has no revocation list.',
    remedy: 'Copy current lists, one for each CA. The file crl.pem in the ssl directory of an agent contains them.',
  },
  'tls.refused': {
    shows,
    meaning: 'OpenSSL does not accept the certificate or the key.',
    remedy: 'Create a new certificate and key. An RSA key needs at least 2048 bits.',
  },
});
