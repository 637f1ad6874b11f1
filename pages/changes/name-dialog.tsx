// Gives a revision a name, or takes it away.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { HISTORY_VERSION, REVISIONS_ADDRESS } from './revision.ts';

interface NameDialogProps {
  readonly revision: number;
  readonly name: string | null;
  readonly onClose: () => void;
}

const MAX_NAME_LENGTH = 255;

export function NameDialog({ revision, name, onClose }: NameDialogProps) {
  const [typed, setTyped] = useState(name ?? '');
  const next = typed.trim() === '' ? null : typed.trim();
  const save = async (): Promise<void> => {
    await send(`${REVISIONS_ADDRESS}/${revision}`, { method: 'PATCH', version: HISTORY_VERSION, body: { name: next } });
    reloadAll(REVISIONS_ADDRESS);
    showMessage(next === null ? `Revision ${revision} has no name any more.` : `Revision ${revision} is called ${next}.`);
  };
  return (
    <FormDialog title={`Name revision ${revision}`} action="Save" isDisabled={next === name} onClose={onClose} onSubmit={save}>
      <p>A revision with a name is kept whole, however old it gets. Without a name it is kept as long as all others.</p>
      <label>
        Name
        <input value={typed} maxLength={MAX_NAME_LENGTH} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
      </label>
    </FormDialog>
  );
}
