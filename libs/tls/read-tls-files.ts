/**
 * Checks that the files belong together, because otherwise the server would later refuse clients without a clear
 * reason.
 */
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { readNamedFile } from '#config';
import { Fault, type FaultCode } from '#fault';
import { certificateNames, subjectText } from './certificate-names';
import { type RevocationList, readRevocationList } from './revocation-list';
import { secureContextOptions } from './secure-context-options';

export interface TlsFiles {
  /** PEM file with the certificate of the server. Intermediate certificates can follow. */
  readonly cert: string;
  readonly key: string;
  /** PEM file with the authorities that sign client certificates. */
  readonly ca: string;
  /** PEM file with one revocation list for each authority. Absent if revocation is not checked. */
  readonly crl?: string;
}

export interface TlsMaterial {
  readonly options: SecureContextOptions;
  readonly certificate: X509Certificate;
  readonly authorities: readonly X509Certificate[];
  readonly revocationLists: readonly RevocationList[];
  readonly digest: string;
}

const days = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const read = (what: string, path: string): Promise<string> => readNamedFile({ what, path, code: 'tls.file' });

export async function readTlsFiles(files: TlsFiles, now = Date.now()): Promise<TlsMaterial> {
  const [cert, key, ca, crl] = await Promise.all([
    read('the certificate', files.cert),
    read('the private key', files.key),
    read('the certificates of the authorities', files.ca),
    files.crl === undefined ? undefined : read('the revocation lists', files.crl),
  ]);
  const [certificate] = certificatesIn('tls.certificate', 'The certificate', files.cert, cert);
  const authorities = certificatesIn('tls.authority', 'The file of the authorities', files.ca, ca);
  checkKey(files, certificate, readKey(files.key, key));
  checkTime(files.cert, certificate, now);
  const lists = crl === undefined ? [] : pemBlocks(crl, 'X509 CRL');
  const revocationLists = lists.map((pem) => readList(files.crl ?? '', pem));
  if (files.crl !== undefined) checkLists(files.crl, authorities, revocationLists, now);
  const options = secureContextOptions({ cert, key, ca, ...(crl === undefined ? {} : { crl: lists }) });
  try {
    createSecureContext(options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('malformed', 'tls.refused', `OpenSSL does not accept ${files.cert}, ${files.key}: ${reason}`, {
      hint: 'Make a new key and a new certificate; RSA keys need 2048 bits.',
      cause,
    });
  }
  const digest = createHash('sha256')
    .update(JSON.stringify([cert, key, ca, crl ?? null]))
    .digest('hex');
  return { options, certificate, authorities, revocationLists, digest };
}

/** Throws `tls.issuer` if no authority in the file has signed the certificate directly. */
export function checkIssued(files: TlsFiles, { certificate, authorities }: TlsMaterial): void {
  if (authorities.some((authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey)))
    return;
  throw new Fault('malformed', 'tls.issuer', `No authority in ${files.ca} has signed the certificate ${files.cert}.`, {
    hint: 'Take all files from the ssl directory of one agent.',
  });
}

const pemBlocks = (text: string, label: string): string[] =>
  text.match(new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`, 'g')) ?? [];

const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');

function certificatesIn(
  code: FaultCode,
  what: string,
  path: string,
  text: string,
): [X509Certificate, ...X509Certificate[]] {
  const [first, ...others] = pemBlocks(text, 'CERTIFICATE').map((pem) => {
    try {
      return new X509Certificate(pem);
    } catch (cause) {
      throw new Fault('malformed', code, `${what} ${path} holds a certificate that cannot be read.`, {
        hint: 'Copy the file again from where it was made.',
        cause,
      });
    }
  });
  if (first !== undefined) return [first, ...others];
  throw new Fault(
    'malformed',
    code,
    `${what} ${path} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`,
    {
      hint: 'Name the right file, or convert it: openssl x509 -inform der -in FILE -out FILE.pem',
    },
  );
}

function readKey(path: string, text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (cause) {
    const isEncrypted = /ENCRYPTED/.test(text);
    const why = isEncrypted ? 'is encrypted' : 'holds no private key in PEM form';
    throw new Fault('malformed', 'tls.key', `The private key ${path} ${why}.`, {
      hint: isEncrypted
        ? 'Take the passphrase off: openssl pkey -in FILE -out FILE.plain; let only the user of the service read it.'
        : 'Name the file that begins with -----BEGIN PRIVATE KEY----- or -----BEGIN RSA PRIVATE KEY-----.',
      cause,
    });
  }
}

function checkKey({ cert, key }: TlsFiles, certificate: X509Certificate, privateKey: KeyObject): void {
  if (certificate.checkPrivateKey(privateKey)) return;
  throw new Fault('malformed', 'tls.key-mismatch', `The private key ${key} does not match the certificate ${cert}.`, {
    hint: 'Take both from the same place: certs/NAME.pem and private_keys/NAME.pem.',
  });
}

function checkTime(path: string, certificate: X509Certificate, now: number): void {
  const from = Date.parse(certificate.validFrom);
  const to = Date.parse(certificate.validTo);
  if (now >= to) {
    throw new Fault('malformed', 'tls.expired', `The certificate ${path} expired on ${dayOf(to)}.`, {
      hint: 'Renew it and copy the new one here.',
    });
  }
  // Accepts a certificate that becomes valid within an hour: the clock of the machine that created it can be ahead.
  if (now < from - days / 24) {
    throw new Fault('malformed', 'tls.not-yet-valid', `The certificate ${path} is not valid before ${dayOf(from)}.`, {
      hint: 'Check the clock of this machine, and of the one that made the certificate.',
    });
  }
}

function readList(path: string, pem: string): RevocationList {
  try {
    return readRevocationList(derOf(pem));
  } catch (cause) {
    throw new Fault(
      'malformed',
      'tls.revocation-list',
      `The file ${path} holds a revocation list that cannot be read.`,
      {
        hint: 'Copy the file again from where it was made.',
        cause,
      },
    );
  }
}

/** As soon as OpenSSL has one list, it refuses the clients of each authority without a list. */
function checkLists(
  path: string,
  authorities: readonly X509Certificate[],
  lists: readonly RevocationList[],
  now: number,
): void {
  const refuse = (why: string, hint: string): Fault =>
    new Fault('malformed', 'tls.revocation-list', `The file of revocation lists ${path} ${why}.`, { hint });
  if (lists.length === 0) throw refuse('holds no list (-----BEGIN X509 CRL-----)', 'Name the right file, or none.');
  const issuers = new Set(lists.map(({ issuer }) => issuer));
  for (const authority of authorities) {
    if (issuers.has(certificateNames(authority.raw).subject)) continue;
    throw refuse(
      `has no list of the authority ${subjectText(authority)}, whose clients would all be refused`,
      'Add that list to the file. An agent keeps all of them in its crl.pem.',
    );
  }
  const old = lists.find(({ nextUpdate }) => nextUpdate !== undefined && nextUpdate <= now);
  if (old?.nextUpdate === undefined) return;
  throw refuse(
    `holds a list that was to be replaced by ${dayOf(old.nextUpdate)}: with it, every client would be refused`,
    'Fetch the new list and copy it here.',
  );
}
