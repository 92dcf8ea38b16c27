import { codeTable } from './code-entry';

const shows = ['start', 'service log', 'command line'] as const;

/**
 * Codes of the HTTPS files. If an error occurs while the service runs, the service raises the alert `tls.files`, and
 * the previous files stay in use.
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
    remedy: 'Set the right file, in PEM format.',
  },
  'tls.key': {
    shows,
    meaning: 'The private key is not valid, or is encrypted.',
    remedy: 'Set the right file, in PEM format and without a passphrase.',
  },
  'tls.key-mismatch': {
    shows,
    meaning: 'The private key does not belong to the certificate.',
    remedy: 'Copy both files from the same place.',
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
    remedy: 'Set the right file: the ca.pem of an agent.',
  },
  'tls.issuer': {
    shows: ['command line'],
    meaning: 'None of the CAs signed the certificate.',
    remedy: 'Copy all files from the ssl directory of one agent.',
  },
  'tls.revocation-list': {
    shows,
    meaning: 'A revocation list is not valid, is out of date, or is missing for one of the CAs.',
    remedy: 'Get the current lists, one for each CA: the crl.pem of an agent.',
  },
  'tls.refused': {
    shows,
    meaning: 'OpenSSL does not accept the certificate or the key.',
    remedy: 'Create new ones. RSA keys need at least 2048 bits.',
  },
});
