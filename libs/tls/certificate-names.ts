import type { X509Certificate } from 'node:crypto';
import { derElement, derElements, derName, derSerial, derTag } from './der';

interface CertificateNames {
  readonly issuer: string;
  readonly subject: string;
  readonly serial: string;
}

/** Throws a RangeError if the certificate is invalid. */
export function certificateNames(der: Buffer): CertificateNames {
  const fields = [...derElements(derElement(derElement(der).content).content)];
  if (fields[0]?.tag === derTag.version) fields.shift();
  const [serial, , issuer, , subject] = fields;
  if (serial === undefined || issuer === undefined || subject === undefined) {
    throw new RangeError('the certificate is incomplete');
  }
  return { serial: derSerial(serial), issuer: derName(issuer), subject: derName(subject) };
}

/** Returns a text such as `CN=web1.example.com, O=Example`. Node.js returns undefined for an empty subject. */
export function subjectText(certificate: X509Certificate): string {
  const subject = (certificate.subject as string | undefined) ?? '';
  return subject === '' ? '(no name)' : subject.replaceAll('\n', ', ');
}

export const commonName = (certificate: X509Certificate): string | undefined =>
  /^CN=(.+)$/m.exec(certificate.subject)?.[1];
