import { excerpt, Fault } from '#fault';

/** The certificate names that may have roles. */
export class Allowlist {
  private constructor(private readonly names: ReadonlySet<string>) {}

  /** `text` has one name a line. Empty lines and lines that begin with `#` are ignored. */
  static parse(text: string): Allowlist {
    const lines = text.split('\n').map((line) => line.trim());
    return new Allowlist(new Set(lines.filter((line) => line !== '' && !line.startsWith('#'))));
  }

  has(certname: string): boolean {
    return this.names.has(certname);
  }
}

/** Returns the answer to a certificate that is not on the list: `http.not-listed` (forbidden). */
export const notListed = (certname: string): Fault =>
  // The text equals PuppetDB's: clients show it, and people search for it.
  new Fault(
    'forbidden',
    'http.not-listed',
    `Permission denied: The client certificate name ${excerpt(certname)} doesnt appear in the ` +
      "certificate allowlist. Is your master's (or other PuppetDB client's) certname listed in PuppetDB's " +
      'certificate-allowlist file?',
    { hint: 'The file is the one that NODELEDGER_CERTIFICATE_ALLOWLIST names.' },
  );
