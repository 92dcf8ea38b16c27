import type { X509Certificate } from 'node:crypto';
import { derElement, derElements, derName, derSerial, derTag } from './der';

/** The names by which other files refer to a certificate. */
interface CertificateNames {
  readonly issuer: string;
  readonly subject: string;
  readonly serial: string;
}

/** Reads the DER form of a certificate. Throws a RangeError if it is no certificate. */
export function certificateNames(der: Buffer): CertificateNames {
  const fields = [...derElements(derElement(derElement(der).content).content)];
  if (fields[0]?.tag === derTag.version) fields.shift();
  const [serial, , issuer, , subject] = fields;
  if (serial === undefined || issuer === undefined || subject === undefined) {
    throw new RangeError('the certificate is incomplete');
  }
  return { serial: derSerial(serial), issuer: derName(issuer), subject: derName(subject) };
}

/** For people: `CN=web1.example.com, O=Example`. A certificate may have no name, whatever the type of node says. */
export function subjectText(certificate: X509Certificate): string {
  const subject = (certificate.subject as string | undefined) ?? '';
  return subject === '' ? '(no name)' : subject.replaceAll('\n', ', ');
}
