import { Fault } from '#fault';

export const componentNames = ['write', 'project', 'read'] as const;
/** `write` also serves the routes for dead letters and maintenance. */
export type Component = (typeof componentNames)[number];
export type Components = ReadonlySet<Component>;

export const allComponents: Components = new Set(componentNames);
const flag = '--components';

/** Throws `config.refused` if a component is unknown or the list is empty. */
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

/** Returns whether this process lacks a component, so that another process must run it. */
export const isPart = (components: Components): boolean => components.size < componentNames.length;
