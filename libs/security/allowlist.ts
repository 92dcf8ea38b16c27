import { excerpt, Fault } from '#fault';
import type { Caller } from '#http';
import { readNamedFile } from './read-file';

/** The certificate names that may use the service, from a file with one name a line. */
export class Allowlist {
  private constructor(
    private readonly path: string,
    private names: ReadonlySet<string>,
  ) {}

  /** Fault: `tls.file`. */
  static async open(path: string): Promise<Allowlist> {
    return new Allowlist(path, await readNames(path));
  }

  /** Reads the file again; where that fails, the names stay. Fault: `tls.file`. */
  async reload(): Promise<void> {
    this.names = await readNames(this.path);
  }

  /** Why a caller is refused; undefined where it is not. Clear text is not guarded. Fault: `http.not-listed` (forbidden). */
  refusal({ secure, certname }: Caller): Fault | undefined {
    if (!secure || (certname !== undefined && this.names.has(certname))) return undefined;
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

/** Lines that are empty or begin with # are no names: none that an authority signs begins so. */
async function readNames(path: string): Promise<ReadonlySet<string>> {
  const lines = (await readNamedFile('the certificate allowlist', path)).split('\n').map((line) => line.trim());
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}

/** What needs no place on the list: where the service is, its status and its metrics, as with PuppetDB; and the probes. */
const open = /^\/(status|metrics|nodeledger\/v1\/(live|ready))(\/|$)/;

/** Whether the list guards a path. `route` is what the path was matched with; absent: nothing answers there. */
export const isGuarded = (route: string | undefined, path: string): boolean => {
  if (route === undefined) return /^\/(pdb|nodeledger)(\/|$)/.test(path);
  return route !== '/' && !open.test(route);
};
