// The dialog that saves what is shown as a view.
import { useState } from 'preact/hooks';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { isolated } from '../kit/text/text.ts';
import { isSavedState, viewToSave } from './filter.ts';
import { rows } from './rows.ts';
import type { Filters } from './use-filters.ts';
import { DEFAULT_VIEW, isSame, saveView } from './views.ts';

export function SaveView({ filters, onClose }: { readonly filters: Filters; readonly onClose: () => void }) {
  const [text, setText] = useState(filters.view?.name ?? '');
  const name = text.trim();
  const { type, pipelines, state } = viewToSave(rows.value?.all.values() ?? [], filters);
  const isDefault = isSame(name, DEFAULT_VIEW);
  const replaced = filters.views.find((view) => isSame(view.name, name));
  const save = async (): Promise<void> => {
    await saveView({ name, type, pipelines, state });
    filters.showView(name);
    showMessage(`The view ${isolated(name)} is saved.`);
  };
  return (
    <FormDialog title="Save a view" action="Save" onClose={onClose} onSubmit={save} isDisabled={name === '' || isDefault}>
      <p>
        It shows {type === 'whitelist' ? namedText(pipelines.length) : 'all pipelines'}
        {type === 'blacklist' && pipelines.length > 0 && ` but ${pipelines.length}`}
        {state.length > 0 && ` while they are ${state.join(' or ')}`}
        {type === 'blacklist' && ', also those that come later'}.
        {![...filters.states].every(isSavedState) && ' Of the states, failing and building are kept with it.'}
      </p>
      {isDefault && <p role="status">{DEFAULT_VIEW} is the view of all pipelines. Choose another name.</p>}
      {replaced !== undefined && (
        <p role="status">
          It replaces the view <bdi>{replaced.name}</bdi>.
        </p>
      )}
      <label>
        Name
        <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} maxLength={255} required />
      </label>
    </FormDialog>
  );
}

function namedText(count: number): string {
  return count === 1 ? 'this one pipeline' : `these ${count} pipelines`;
}
