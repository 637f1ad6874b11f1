// The first rows of a long table, and a button for more: thousands of rows are slow to draw, and users do not read them.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

const ROWS_AT_ONCE = 100;

interface FirstRows<T> {
  readonly rows: readonly T[];
  /** Stands below the table; null: there are no more. */
  readonly more: ComponentChildren;
}

export function useFirstRows<T>(all: readonly T[]): FirstRows<T> {
  const [count, setCount] = useState(ROWS_AT_ONCE);
  const rest = all.length - count;
  const more =
    rest <= 0 ? null : (
      <p>
        <button type="button" class="button" onClick={() => setCount(count + ROWS_AT_ONCE)}>
          Show {Math.min(rest, ROWS_AT_ONCE)} more of {rest}
        </button>
      </p>
    );
  return { rows: all.slice(0, count), more };
}
