// The filters of the events. Typed text takes effect when the user leaves the field or presses Enter.
import { Chooser } from '../kit/chooser.tsx';
import { choicesWith, type EventFilter } from './event.ts';

interface FiltersProps {
  readonly filter: EventFilter;
  readonly onChange: Readonly<Record<keyof EventFilter, (pattern: string) => void>>;
}

const FIELDS = { actor: 'Who', resource: 'Kind of thing', id: 'Its id' } as const;
const EXAMPLES = { actor: 'jez', resource: 'environments', id: 'prod-*' } as const;

export function Filters({ filter, onChange }: FiltersProps) {
  return (
    <search class="toolbar events-filters">
      <Chooser label="What" choices={choicesWith(filter.type)} value={filter.type} onChange={onChange.type} isLabelled />
      {(Object.keys(FIELDS) as (keyof typeof FIELDS)[]).map((name) => (
        <label key={name}>
          {FIELDS[name]}{' '}
          <input
            value={filter[name]}
            placeholder={EXAMPLES[name]}
            spellcheck={false}
            onChange={({ currentTarget }) => onChange[name](currentTarget.value.trim())}
          />
        </label>
      ))}
      <span class="quiet">* and ? stand for anything.</span>
    </search>
  );
}
