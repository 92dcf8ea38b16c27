import { Fault } from '#fault';

export const componentNames = ['write', 'project', 'read'] as const;
/**
 * Components of a process. `write` accepts commands, and serves the routes for dead letters and maintenance. `project`
 * builds the read tables. `read` answers queries.
 */
export type Component = (typeof componentNames)[number];
export type Components = ReadonlySet<Component>;

export const allComponents: Components = new Set(componentNames);
const flag = '--components';

/**
 * Returns the components that the flag `--components write,project,read` names (default: all components), and the
 * remaining flags. Throws `config.refused` if a component is unknown or the list is empty.
 */
export function readComponents(flags: readonly string[]): { components: Components; flags: string[] } {
  const others: string[] = [];
  let written: string | undefined;
  for (let i = 0; i < flags.length; i++) {
    const one = flags[i] ?? '';
    if (one === flag) written = flags[++i] ?? '';
    else if (one.startsWith(`${flag}=`)) written = one.slice(flag.length + 1);
    else others.push(one);
  }
  if (written === undefined) return { components: allComponents, flags: others };
  const named = written.split(',').map((name) => name.trim());
  const wrong = named.find((name) => !(componentNames as readonly string[]).includes(name));
  if (wrong !== undefined) {
    throw new Fault(
      'malformed',
      'config.refused',
      `${flag}=${written}: expected some of ${componentNames.join(', ')}, separated by commas`,
    );
  }
  return { components: new Set(named as Component[]), flags: others };
}

/** Returns whether this process lacks a component, which another process must then run. */
export const isPart = (components: Components): boolean => components.size < componentNames.length;
