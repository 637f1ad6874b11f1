// Gives a revision a name, or takes it away.
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { DraftDialog } from '../forms/save/draft-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { HISTORY_VERSION, REVISIONS_ADDRESS } from './revision.ts';

interface NameDialogProps {
  readonly revision: number;
  readonly name: string | null;
  readonly onClose: () => void;
}

const MAX_NAME_LENGTH = 255;

export function NameDialog({ revision, name, onClose }: NameDialogProps) {
  const address = `${REVISIONS_ADDRESS}/${revision}`;
  const save = async ({ typed }: { readonly typed: string }): Promise<void> => {
    const next = nameIn(typed);
    await send(address, { method: 'PATCH', version: HISTORY_VERSION, body: { name: next } });
    reloadAll(REVISIONS_ADDRESS);
    showMessage(next === null ? `Revision ${revision} has no name any more.` : `Revision ${revision} is called ${next}.`);
  };
  return (
    <DraftDialog
      title={`Name revision ${revision}`}
      action="Save"
      form={address}
      original={{ typed: name ?? '' }}
      isUnchanged={({ typed }) => nameIn(typed) === name}
      onClose={onClose}
      onSubmit={save}
      fields={({ typed }, set) => (
        <>
          <p>A revision with a name is kept whole, however old it gets. Without a name it is kept as long as all others.</p>
          <label>
            Name
            <input value={typed} maxLength={MAX_NAME_LENGTH} onInput={({ currentTarget }) => set({ typed: currentTarget.value })} />
          </label>
        </>
      )}
    />
  );
}

function nameIn(typed: string): string | null {
  return typed.trim() === '' ? null : typed.trim();
}
