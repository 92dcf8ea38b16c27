import { Fault } from '#fault';

export const roleNames = ['write', 'project', 'read'] as const;
/** `write`: takes commands, dead letters, maintenance. `project`: makes the read tables. `read`: answers queries. */
export type Role = (typeof roleNames)[number];
export type Roles = ReadonlySet<Role>;

export const allRoles: Roles = new Set(roleNames);
const flag = '--roles';

/** Takes `--roles write,project,read` out of flags; without it, all. Fault: `config.refused`. */
export function readRoles(flags: readonly string[]): { roles: Roles; flags: string[] } {
  const others: string[] = [];
  let written: string | undefined;
  for (let i = 0; i < flags.length; i++) {
    const one = flags[i] ?? '';
    if (one === flag) written = flags[++i] ?? '';
    else if (one.startsWith(`${flag}=`)) written = one.slice(flag.length + 1);
    else others.push(one);
  }
  if (written === undefined) return { roles: allRoles, flags: others };
  const named = written.split(',').map((name) => name.trim());
  const wrong = named.find((name) => !(roleNames as readonly string[]).includes(name));
  if (wrong !== undefined) {
    throw new Fault(
      'malformed',
      'config.refused',
      `${flag}=${written}: expected some of ${roleNames.join(', ')}, separated by commas`,
    );
  }
  return { roles: new Set(named as Role[]), flags: others };
}

/** Whether another process has to do the rest. */
export const isPart = (roles: Roles): boolean => roles.size < roleNames.length;
