import { parseDocument } from 'yaml';
import { excerpt, Fault, isMap, nearest } from '#fault';
import { isRole, type Role, roles } from './role';

interface Entry {
  readonly fits: (certname: string) => boolean;
  readonly roles: readonly Role[];
}

const shape = 'certificates:\n  - name: puppet.example.com\n    roles: [submit, query]';

/** A certificate has the roles of all entries that match its name. */
export class CertificateRoles {
  private constructor(private readonly entries: readonly Entry[]) {}

  /** Parses YAML. `file` is the name of the file for messages. Throws `config.file` with all errors. */
  static parse(text: string, file: string): CertificateRoles {
    const document = parseDocument(text, { uniqueKeys: true });
    const [syntax] = document.errors;
    if (syntax !== undefined) throw fileFault(file, syntax.message);
    const problems: string[] = [];
    const entries = readEntries(document.toJS() as unknown, problems);
    if (problems.length > 0) throw fileFault(file, problems.join('\n'));
    return new CertificateRoles(entries);
  }

  rolesOf(certname: string): ReadonlySet<Role> {
    return new Set(this.entries.filter(({ fits }) => fits(certname)).flatMap((entry) => entry.roles));
  }
}

const fileFault = (file: string, what: string): Fault =>
  new Fault('malformed', 'config.file', `${file} (NODELEDGER_AUTHORIZATION): ${what}`, {
    hint: `Expected, as described in docs/authorization.md:\n${shape}`,
  });

function readEntries(value: unknown, problems: string[]): Entry[] {
  // An empty file gives no roles to certificates, so only tokens can have roles.
  if (value === null || value === undefined) return [];
  if (!isMap(value)) {
    problems.push('the file has to hold a map with the key certificates');
    return [];
  }
  for (const key of Object.keys(value)) {
    if (key !== 'certificates') problems.push(`unknown key ${excerpt(key)}; the only one is certificates`);
  }
  const list = value['certificates'] ?? [];
  if (!Array.isArray(list)) {
    problems.push('certificates has to be a list');
    return [];
  }
  return list.flatMap((item: unknown, index) => readEntry(item, `certificates[${index}]`, problems) ?? []);
}

function readEntry(item: unknown, path: string, problems: string[]): Entry | undefined {
  if (!isMap(item)) {
    problems.push(`${path} has to be a map with the keys name and roles`);
    return undefined;
  }
  for (const key of Object.keys(item)) {
    if (key !== 'name' && key !== 'roles')
      problems.push(`${path}: unknown key ${excerpt(key)}; expected name and roles`);
  }
  const { name, roles: given } = item;
  if (typeof name !== 'string' || name === '') problems.push(`${path}: name has to be the name of a certificate`);
  if (!Array.isArray(given) || given.length === 0)
    problems.push(`${path}: roles has to be a list of ${roles.join(', ')}`);
  if (typeof name !== 'string' || !Array.isArray(given)) return undefined;
  const found: Role[] = [];
  for (const role of given as unknown[]) {
    if (typeof role === 'string' && isRole(role)) found.push(role);
    else problems.push(`${path}: ${unknownRole(String(role))}`);
  }
  return { fits: namePattern(name), roles: found };
}

export function unknownRole(name: string): string {
  const near = nearest(name, roles);
  const meant = near === undefined ? '' : `. Did you mean ${near}?`;
  return `there is no role ${excerpt(name)}; the roles are ${roles.join(', ')}${meant}`;
}

/** `*` matches any characters. No certificate name contains `*`, because configuration servers refuse such names. */
function namePattern(name: string): (certname: string) => boolean {
  const [start = '', ...rest] = name.split('*');
  const end = rest.pop();
  if (end === undefined) return (certname) => certname === name;
  return (certname) => {
    if (!certname.startsWith(start) || certname.length < start.length + end.length || !certname.endsWith(end))
      return false;
    const last = certname.length - end.length;
    let at = start.length;
    for (const part of rest) {
      const found = certname.indexOf(part, at);
      if (found < 0 || found + part.length > last) return false;
      at = found + part.length;
    }
    return true;
  };
}
