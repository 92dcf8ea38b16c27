/** Certificate authorities for tests, made with the openssl command: they issue, revoke, and sign revocation lists. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Paths of PEM files. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

export interface Wanted {
  /** In the form of openssl. Default: the name as the common name. */
  readonly subject?: string;
  /** Default: `DNS:localhost,IP:127.0.0.1`. */
  readonly san?: string;
  /** Days from now. Default: from an hour ago for 30 days. */
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly isAuthority?: boolean;
}

const config = `[ca]
default_ca = this
[this]
database = index.txt
serial = serial
crlnumber = crlnumber
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
unique_subject = no
copy_extensions = none
[any]
commonName = optional
organizationName = optional
`;

const dayMs = 86_400_000;
/** 20261122021656Z */
const inDays = (days: number): string =>
  new Date(Date.now() + days * dayMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');

export class Authority {
  private issuedCount = 0;

  private constructor(
    private readonly folder: string,
    readonly name: string,
  ) {}

  /** Creates a self-signed authority in a new folder. */
  static make(name: string): Authority {
    const authority = Authority.inFolder(mkdtempSync(join(tmpdir(), 'nodeledger-ca-')), name);
    const self = ['-x509', '-days', '3000', '-subj', `/CN=${name}`, '-addext', 'keyUsage=critical,keyCertSign,cRLSign'];
    authority.openssl('req', ...newKey('ca.key'), ...self, '-out', 'ca.pem');
    return authority;
  }

  private static inFolder(folder: string, name: string): Authority {
    const authority = new Authority(folder, name);
    const files = { 'ca.cnf': config, 'index.txt': '', serial: '01\n', crlnumber: '01\n' };
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    return authority;
  }

  /** PEM. */
  get certificate(): string {
    return readFileSync(join(this.folder, 'ca.pem'), 'utf8');
  }

  /** Creates an authority whose certificate is signed by this one. */
  intermediate(name: string): Authority {
    const { cert, key } = this.issue(name, { isAuthority: true });
    const folder = join(this.folder, `of-${this.issuedCount}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'ca.pem'), readFileSync(cert));
    writeFileSync(join(folder, 'ca.key'), readFileSync(key));
    return Authority.inFolder(folder, name);
  }

  issue(name: string, wanted: Wanted = {}): Issued {
    const { subject = `/CN=${name}`, san = 'DNS:localhost,IP:127.0.0.1', isAuthority = false } = wanted;
    const { validFrom = -1 / 24, validTo = 30 } = wanted;
    const file = String(++this.issuedCount);
    const extensions = isAuthority
      ? 'basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\n'
      : `basicConstraints=critical,CA:false\nsubjectAltName=${san}\n`;
    writeFileSync(join(this.folder, `${file}.ext`), extensions);
    this.openssl('req', ...newKey(`${file}.key`), '-subj', subject, '-out', `${file}.csr`);
    const dates = ['-startdate', inDays(validFrom), '-enddate', inDays(validTo)];
    const input = ['-in', `${file}.csr`, '-extfile', `${file}.ext`];
    this.ca(...input, '-out', `${file}.pem`, '-notext', '-preserveDN', ...dates);
    return { cert: join(this.folder, `${file}.pem`), key: join(this.folder, `${file}.key`) };
  }

  revoke({ cert }: Issued): void {
    this.ca('-revoke', cert);
  }

  /** Returns a revocation list (PEM). `days`: the days until it is out of date. */
  revocationList(days = 30): string {
    this.ca('-gencrl', '-crlhours', String(Math.round(days * 24)), '-out', 'crl.pem');
    return readFileSync(join(this.folder, 'crl.pem'), 'utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private ca(...args: readonly string[]): void {
    this.openssl('ca', '-batch', '-config', 'ca.cnf', ...args);
  }

  private openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: 'pipe' });
  }
}

/** A short key, which is created quickly. */
const newKey = (file: string): string[] => [
  ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
  ...['-keyout', file],
];
