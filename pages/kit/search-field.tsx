// The field that narrows a list. The key / leads there.
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useShortcuts } from './shortcuts.ts';

interface SearchFieldProps {
  /** The name of the searched things: `users`. */
  readonly of: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The field, where the page has more to do with it. */
  readonly field?: RefObject<HTMLInputElement>;
  /** Moves the focus from the search to the results, by Enter or the arrow down. */
  readonly onLeave?: () => void;
}

export function SearchField({ of, value, onChange, field: given, onLeave }: SearchFieldProps) {
  const own = useRef<HTMLInputElement>(null);
  const field = given ?? own;
  useShortcuts([{ keys: '/', description: 'Search', run: () => field.current?.focus() }]);
  const leave = (event: KeyboardEvent): void => {
    if (onLeave === undefined || (event.key !== 'Enter' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onLeave();
  };
  return (
    <input
      ref={field}
      type="search"
      placeholder="Search ( / )"
      aria-label={`Search ${of}`}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={leave}
    />
  );
}
