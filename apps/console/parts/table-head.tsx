import type { ComponentChildren } from 'preact';

export function TableHead({
  columns,
}: {
  readonly columns: readonly (string | readonly [title: ComponentChildren, className: string])[];
}) {
  return (
    <thead>
      <tr>
        {columns.map((column, at) => {
          const [title, className] = typeof column === 'string' ? [column, undefined] : column;
          return (
            <th key={at} class={className}>
              {title}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
