// The names of the columns of a table.
import type { ComponentChildren } from 'preact';

interface TableHeadProps {
  readonly columns: readonly string[];
  /** A column before the named ones, which has no name. */
  readonly children?: ComponentChildren;
}

export function TableHead({ columns, children }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {children}
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}
