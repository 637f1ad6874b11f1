// A pipeline group: one that there is, or the name of a new one.
import { useId } from 'preact/hooks';
import { useAdministeredGroups } from '../api/pipeline-groups.ts';
import { currentSession } from '../api/session.ts';

export function GroupField({ value, onInput }: { readonly value: string; readonly onInput: (value: string) => void }) {
  const id = useId();
  const groups = useAdministeredGroups();
  return (
    <label for={id}>
      Group
      <input
        id={id}
        list={`${id}list`}
        value={value}
        required
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id={`${id}list`}>
        {groups.map((group) => (
          <option key={group} value={group} />
        ))}
      </datalist>
      {currentSession()?.is_admin && <span class="quiet">A group that does not exist is created.</span>}
    </label>
  );
}
