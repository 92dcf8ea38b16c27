import { excerpt, Fault } from '#fault';
import type { Caller } from '#http';

/** The certificate names that may use the service. */
export class Allowlist {
  private constructor(private readonly names: ReadonlySet<string>) {}

  /** `text` has one name a line. Empty lines and lines that begin with `#` are ignored. */
  static parse(text: string): Allowlist {
    const lines = text.split('\n').map((line) => line.trim());
    return new Allowlist(new Set(lines.filter((line) => line !== '' && !line.startsWith('#'))));
  }

  /** Why a certificate name is refused; undefined if it is listed. Fault: `http.not-listed` (forbidden). */
  refusal({ certname }: Pick<Caller, 'certname'>): Fault | undefined {
    if (certname !== undefined && this.names.has(certname)) return undefined;
    // Word for word as PuppetDB says it: clients show it, and people search for it.
    return new Fault(
      'forbidden',
      'http.not-listed',
      `Permission denied: The client certificate name ${certname === undefined ? 'null' : excerpt(certname)} doesnt appear in the ` +
        "certificate allowlist. Is your master's (or other PuppetDB client's) certname listed in PuppetDB's " +
        'certificate-allowlist file?',
      { hint: 'The file is the one that NODELEDGER_CERTIFICATE_ALLOWLIST names.' },
    );
  }
}
