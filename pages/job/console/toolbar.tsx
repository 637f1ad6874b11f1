// The actions on a console.
import type { Ref } from 'preact';
import { addressOf } from '../../api/address.ts';
import type { Search } from './use-search.ts';

interface ConsoleToolbarProps {
  readonly address: string;
  readonly search: Search;
  readonly searchField: Ref<HTMLInputElement>;
  readonly isFollowing: boolean;
  readonly setIsFollowing: (isFollowing: boolean) => void;
  readonly showsTimes: boolean;
  readonly setShowsTimes: (showsTimes: boolean) => void;
  readonly errors: number;
  readonly nextError: () => void;
  readonly isAllFolded: boolean;
  readonly foldAll: () => void;
}

export function ConsoleToolbar(props: ConsoleToolbarProps) {
  const { search, address } = props;
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') (event.shiftKey ? search.previous : search.next)();
    if (event.key === 'Escape' && event.currentTarget instanceof HTMLElement) {
      // The browser would empty the field, and the keys for the next match need it.
      event.preventDefault();
      event.currentTarget.blur();
    }
  };
  return (
    <div class="toolbar console-toolbar">
      <input
        ref={props.searchField}
        type="search"
        placeholder="Search in the console"
        aria-label="Search in the console"
        value={search.text}
        onInput={({ currentTarget }) => search.setText(currentTarget.value)}
        onKeyDown={keys}
      />
      <span role="status" class="quiet number">
        {search.text !== '' && matchesText(search)}
      </span>
      <button
        type="button"
        class="icon-button"
        aria-label="Previous match"
        disabled={search.found.lines.length === 0}
        onClick={search.previous}
      >
        ↑
      </button>
      <button type="button" class="icon-button" aria-label="Next match" disabled={search.found.lines.length === 0} onClick={search.next}>
        ↓
      </button>
      <button type="button" class="button is-small" disabled={props.errors === 0} onClick={props.nextError}>
        Next error
      </button>
      <span class="grow" />
      <Toggle label="Follow" isOn={props.isFollowing} onChange={props.setIsFollowing} />
      <Toggle label="Times" isOn={props.showsTimes} onChange={props.setShowsTimes} />
      <button type="button" class="button is-small" onClick={props.foldAll}>
        {props.isAllFolded ? 'Unfold tasks' : 'Fold tasks'}
      </button>
      <a class="button is-small" href={addressOf(address)} target="_blank" rel="noopener">
        Raw
      </a>
      <a class="button is-small" href={addressOf(address)} download="console.log">
        Download
      </a>
    </div>
  );
}

function Toggle({ label, isOn, onChange }: { readonly label: string; readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {label}
    </button>
  );
}

function matchesText({ found, at }: Search): string {
  const count = `${found.lines.length}${found.isComplete ? '' : ' …'}`;
  if (found.lines.length === 0) return found.isComplete ? 'No match' : 'Searching …';
  return at < 0 ? `${count} ${found.lines.length === 1 ? 'line' : 'lines'}` : `${at + 1} of ${count}`;
}
