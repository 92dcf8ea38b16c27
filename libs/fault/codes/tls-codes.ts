import { codeTable } from './code-entry';

const shows = ['start', 'service log', 'command line'] as const;

/** The files of TLS. While the service runs, they show as the alert `tls.files`, and the files from before stay in use. */
export const tlsCodes = codeTable({
  'tls.file': {
    shows,
    meaning: 'A file of certificates, keys or certificate names cannot be read.',
    remedy: 'Correct the path, or let the user of the service read the file.',
  },
  'tls.certificate': {
    shows,
    meaning: 'The file of the certificate holds none.',
    remedy: 'Name the right file, in PEM form.',
  },
  'tls.key': {
    shows,
    meaning: 'The private key cannot be read, or is encrypted.',
    remedy: 'Name the right file, in PEM form and without a passphrase.',
  },
  'tls.key-mismatch': {
    shows,
    meaning: 'The private key belongs to another certificate.',
    remedy: 'Take both from the same place.',
  },
  'tls.expired': {
    shows,
    meaning: 'The certificate of the service has expired.',
    remedy: 'Renew it.',
  },
  'tls.not-yet-valid': {
    shows,
    meaning: 'The certificate of the service is not valid yet.',
    remedy: 'Check the clocks of this machine and of the one that made the certificate.',
  },
  'tls.authority': {
    shows,
    meaning: 'The file of the authorities holds no certificate, or one that cannot be read.',
    remedy: 'Name the right file: the ca.pem of an agent.',
  },
  'tls.issuer': {
    shows: ['command line'],
    meaning: 'The certificate was signed by none of the authorities.',
    remedy: 'Take all files from the ssl directory of one agent.',
  },
  'tls.revocation-list': {
    shows,
    meaning: 'A revocation list cannot be read, is out of date, or is missing for one of the authorities.',
    remedy: 'Fetch the current lists, one of each authority: the crl.pem of an agent.',
  },
  'tls.refused': {
    shows,
    meaning: 'OpenSSL does not accept the certificate or the key.',
    remedy: 'Make new ones; RSA keys need 2048 bits.',
  },
});
