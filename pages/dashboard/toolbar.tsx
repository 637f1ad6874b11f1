// The filters of the dashboard: search, states, groups or environments, and saved views.
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { Menu } from '../kit/dialog/menu.tsx';
import { runAction } from '../kit/messages.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { isolated } from '../kit/text/text.ts';
import { type Changes, STATES, type State } from './filter.ts';
import { SaveView } from './save-view.tsx';
import type { Filters } from './use-filters.ts';
import { deleteView } from './views.ts';

const LABELS: Readonly<Record<State, string>> = {
  failing: 'Failing',
  building: 'Building',
  paused: 'Paused',
  locked: 'Locked',
  mine: 'Mine',
};

interface ToolbarProps {
  readonly filters: Filters;
  readonly search: RefObject<HTMLInputElement>;
  readonly shown: number;
  readonly total: number;
  readonly changes: Changes;
  readonly showChanges: () => void;
  /** Moves the focus from the search to the first result. */
  readonly goToFirst: () => void;
}

export function Toolbar({ filters, search, shown, total, changes, showChanges, goToFirst }: ToolbarProps) {
  return (
    <search class="toolbar dashboard-toolbar">
      <SearchField of="pipelines" value={filters.search} onChange={filters.setSearch} field={search} onLeave={goToFirst} />
      <fieldset class="chips">
        <legend class="hidden">Only</legend>
        {STATES.map((state) => (
          <button
            key={state}
            type="button"
            class="chip"
            aria-pressed={filters.states.has(state)}
            onClick={() => filters.toggleState(state)}
          >
            {LABELS[state]}
          </button>
        ))}
      </fieldset>
      <select
        aria-label="Arrange by"
        value={filters.grouping}
        onInput={({ currentTarget }) => filters.setGrouping(currentTarget.value === 'environment' ? 'environment' : 'group')}
      >
        <option value="group">By group</option>
        <option value="environment">By environment</option>
      </select>
      <Views filters={filters} />
      <span class="grow" />
      <span class="new-items" role="status">
        {changes.come + changes.gone > 0 && (
          <button type="button" class="button is-small" onClick={showChanges}>
            {[changes.come > 0 && `${changes.come} new`, changes.gone > 0 && `${changes.gone} gone`].filter(Boolean).join(', ')}
          </button>
        )}
      </span>
      <span class="quiet dashboard-count" role="status">
        {shown === total ? countText(total) : `${shown} of ${countText(total)}`}
      </span>
    </search>
  );
}

function countText(count: number): string {
  return `${count} ${count === 1 ? 'pipeline' : 'pipelines'}`;
}

function Views({ filters }: { readonly filters: Filters }) {
  const [isSaving, setIsSaving] = useState(false);
  const { view } = filters;
  const remove = (name: string): void =>
    void runAction(async () => {
      await deleteView(name);
      filters.setViewName('');
      return { message: `The view ${isolated(name)} is deleted.` };
    }, '');
  return (
    <>
      <select aria-label="View" value={view?.name ?? ''} onInput={({ currentTarget }) => filters.setViewName(currentTarget.value)}>
        <option value="">All pipelines</option>
        {filters.views.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Menu
        label="Views"
        items={[
          { label: 'Save what is shown as a view …', run: () => setIsSaving(true) },
          ...(view === undefined ? [] : [{ label: `Delete the view ${view.name}`, run: () => remove(view.name) }]),
        ]}
      >
        ⋯
      </Menu>
      {isSaving && <SaveView filters={filters} onClose={() => setIsSaving(false)} />}
    </>
  );
}
