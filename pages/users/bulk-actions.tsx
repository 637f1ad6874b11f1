// The actions on the chosen users.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { runAction, showMessage } from '../kit/messages.tsx';
import { pluralize } from '../kit/text/text.ts';
import { USERS_ADDRESS, USERS_VERSION, type User } from './user.ts';

interface BulkActionsProps {
  readonly users: readonly User[];
  readonly onDone: () => void;
}

export function BulkActions({ users, onDone }: BulkActionsProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const change = async (enable: boolean): Promise<void> => {
    const body = { users: users.map(({ login_name }) => login_name), operations: { enable } };
    const change = () => send(`${USERS_ADDRESS}/operations/state`, { method: 'PATCH', version: USERS_VERSION, body });
    if (await runAction(change, 'Changed.')) onDone();
    reloadAll(USERS_ADDRESS);
  };
  return (
    <>
      <button type="button" class="button" disabled={users.every(({ enabled }) => enabled)} onClick={() => void change(true)}>
        Enable
      </button>
      <button type="button" class="button" disabled={users.every(({ enabled }) => !enabled)} onClick={() => void change(false)}>
        Disable
      </button>
      <button type="button" class="button" disabled={users.length === 0} onClick={() => setIsDeleting(true)}>
        Delete …
      </button>
      {isDeleting && <DeleteUsers users={users} onClose={() => setIsDeleting(false)} onDone={onDone} />}
    </>
  );
}

function DeleteUsers({ users, onClose, onDone }: BulkActionsProps & { readonly onClose: () => void }) {
  const removed = users.filter(({ enabled }) => !enabled);
  const kept = users.filter(({ enabled }) => enabled);
  const remove = async (): Promise<void> => {
    const body = { users: removed.map(({ login_name }) => login_name) };
    const answer = await send(USERS_ADDRESS, { method: 'DELETE', version: USERS_VERSION, body });
    showMessage(answer?.message ?? 'Deleted.');
    onDone();
    reloadAll(USERS_ADDRESS);
  };
  return (
    <FormDialog
      title={`Delete ${pluralize(users.length, 'user')}`}
      action="Delete"
      isDangerous
      isDisabled={removed.length === 0}
      onClose={onClose}
      onSubmit={remove}
    >
      {removed.length > 0 && (
        <p>
          {removed.map(({ login_name }) => login_name).join(', ')}: deleted, with all access tokens. A user who signs in again is added
          anew.
        </p>
      )}
      {kept.length > 0 && (
        <p role="note">
          {kept.map(({ login_name }) => login_name).join(', ')}: {kept.length === 1 ? 'is' : 'are'} enabled and can not be deleted. Disable
          them first.
        </p>
      )}
    </FormDialog>
  );
}
