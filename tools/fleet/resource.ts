import type { Json } from './json-writer';

export type FleetParameters = Readonly<Record<string, Json>>;

export interface FleetResource {
  readonly type: string;
  readonly title: string;
  readonly exported: boolean;
  readonly file: string;
  readonly line: number;
  readonly tags: readonly string[];
  readonly parameters: FleetParameters;
  /** Title of the class that contains the resource. Undefined for `Stage[main]`, which has no container. */
  readonly container: string | undefined;
}

export function referenceTo(resource: { readonly type: string; readonly title: string }): string {
  return `${resource.type}[${resource.title}]`;
}

/** Returns a text such as `Nginx::Site` for `nginx::site`. */
export function typeName(lower: string): string {
  return lower
    .split('::')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('::');
}

/** All tags are in lower case, so that every server accepts them. */
export function tagsOf(type: string, container: string, ...more: readonly string[]): string[] {
  const tags = new Set<string>([type.toLowerCase()]);
  const add = (name: string): void => {
    tags.add(name);
    for (const part of name.split('::')) tags.add(part);
  };
  if (type.includes('::')) add(type.toLowerCase());
  tags.add('class');
  add(container.toLowerCase());
  for (const one of more) tags.add(one);
  return [...tags];
}

export function manifestOf(name: string): string {
  const [module = 'main', ...rest] = name.toLowerCase().split('::');
  const folder = module === 'role' || module === 'profile' ? 'site' : 'modules';
  return `/etc/puppetlabs/code/environments/production/${folder}/${module}/manifests/${rest.length > 0 ? rest.join('/') : 'init'}.pp`;
}
