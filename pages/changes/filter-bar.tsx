// Narrows the list of changes. The chosen filters stand in the address.
import { useEffect, useRef, useState } from 'preact/hooks';
import { kindText } from '../kit/diff/change-text.ts';
import { RESOURCES } from '../kit/resources.ts';
import { useParameter } from '../kit/routing.ts';
import { useShortcuts } from '../kit/shortcuts.ts';
import type { Filter, FilterName } from './filter.ts';

/** After the last key the list is searched. */
const PAUSE_MS = 300;

export function useFilter(): Filter {
  const [text] = useParameter('text');
  const [resource] = useParameter('resource');
  const [actor] = useParameter('actor');
  const [since] = useParameter('since');
  const [until] = useParameter('until');
  return { text, resource, actor, since, until };
}

export function FilterBar() {
  const [resource, setResource] = useParameter('resource');
  const search = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', description: 'Search', run: () => search.current?.focus() }]);
  return (
    <search class="toolbar">
      <TypedFilter name="text" type="search" label="Search changes" placeholder="Search ( / )" field={search} />
      <select aria-label="Kind" value={resource} onInput={({ currentTarget }) => setResource(currentTarget.value)}>
        <option value="">Everything</option>
        {Object.keys(RESOURCES).map((name) => (
          <option key={name} value={name}>
            {kindText(name)}
          </option>
        ))}
      </select>
      <TypedFilter name="actor" type="text" label="Made by" placeholder="by whom" />
      <span class="change-day">
        from <TypedFilter name="since" type="date" label="From this day" />
      </span>
      <span class="change-day">
        to <TypedFilter name="until" type="date" label="To this day" />
      </span>
    </search>
  );
}

interface TypedFilterProps {
  readonly name: FilterName;
  readonly type: 'search' | 'text' | 'date';
  readonly label: string;
  readonly placeholder?: string;
  readonly field?: { readonly current: HTMLInputElement | null };
}

function TypedFilter({ name, type, label, placeholder, field }: TypedFilterProps) {
  const [value, setValue] = useParameter(name);
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  // Another way than typing: a link, or the button that goes back.
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const take = (next: string): void => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setValue(next), PAUSE_MS);
  };
  return (
    <input
      ref={field}
      type={type}
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      onInput={({ currentTarget }) => take(currentTarget.value)}
    />
  );
}
