import { go } from '../address/address';

export function EnvironmentChoice({
  environments,
  chosen,
  href,
}: {
  readonly environments: readonly { readonly name: string; readonly nodes: number }[];
  readonly chosen: string | undefined;
  readonly href: (name: string | undefined) => string;
}) {
  const names = environments.map(({ name }) => name);
  const all = chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <select
      class="btn"
      aria-label="Environment"
      value={chosen ?? ''}
      onChange={({ currentTarget }) => go(href(currentTarget.value === '' ? undefined : currentTarget.value))}
    >
      <option value="">All environments</option>
      {all.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
