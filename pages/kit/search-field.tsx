// The field that narrows a list. The key / leads there.
import { useRef } from 'preact/hooks';
import { useShortcuts } from './shortcuts.ts';

interface SearchFieldProps {
  /** What is searched: `users`. */
  readonly of: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchField({ of, value, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: 'Search', run: () => field.current?.focus() }]);
  return (
    <input
      ref={field}
      type="search"
      placeholder="Search ( / )"
      aria-label={`Search ${of}`}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
