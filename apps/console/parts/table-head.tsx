import type { ComponentChildren } from 'preact';

/** The head of a table. A column is its title, or its title and a class. */
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
