import type { Allowlist } from './allowlist';
import { type Role, roles } from './role';

export interface Grants {
  rolesOf(certname: string): ReadonlySet<Role>;
  isUnlisted?(certname: string): boolean;
}

const every: ReadonlySet<Role> = new Set(roles);
const ownOnly: ReadonlySet<Role> = new Set<Role>(['submit-own']);
const none: ReadonlySet<Role> = new Set();

/**
 * A certificate that is not on the allowlist has no role. Without a file of roles, each certificate on the allowlist
 * has all roles. Without both, each certificate has the role `submit-own`.
 */
export function joinGrants(file: Grants | undefined, list: Pick<Allowlist, 'has'> | undefined): Grants {
  const isUnlisted = (certname: string): boolean => list?.has(certname) === false;
  return {
    rolesOf: (certname) =>
      isUnlisted(certname) ? none : (file?.rolesOf(certname) ?? (list === undefined ? ownOnly : every)),
    isUnlisted,
  };
}
