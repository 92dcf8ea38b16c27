import { excerpt, Fault } from '#fault';

export class Allowlist {
  private constructor(private readonly names: ReadonlySet<string>) {}

  /** `text` has one name on each line. Ignores empty lines and lines that begin with `#`. */
  static parse(text: string): Allowlist {
    const lines = text.split('\n').map((line) => line.trim());
    return new Allowlist(new Set(lines.filter((line) => line !== '' && !line.startsWith('#'))));
  }

  has(certname: string): boolean {
    return this.names.has(certname);
  }
}

export const notListed = (certname: string): Fault =>
  // The message is the same as in PuppetDB, because clients show the message and people search for it.
  new Fault(
    'forbidden',
    'http.not-listed',
    `Permission denied: The client certificate name ${excerpt(certname)} doesnt appear in the ` +
      "certificate allowlist. Is your master's (or other PuppetDB client's) certname listed in PuppetDB's " +
      'certificate-allowlist file?',
    { hint: 'The file is the one that NODELEDGER_CERTIFICATE_ALLOWLIST names.' },
  );
