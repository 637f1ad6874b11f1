// Adds a service account, or changes one.
import { send } from '../api/client.ts';
import { reloadOne } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { RecordDialog } from '../forms/save/record-dialog.tsx';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';
import { showMessage } from '../kit/messages.tsx';
import { ACCOUNTS, ACCOUNTS_VERSION, type Account, addressOf } from './account.ts';

interface EditAccountProps {
  /** Absent: a new account. */
  readonly account?: Account;
  readonly onClose: () => void;
}

export function EditAccount({ account, onClose }: EditAccountProps) {
  const original = {
    name: account?.name ?? '',
    description: account?.description ?? '',
    owner: account?.owner ?? currentSession()?.login_name ?? '',
  };
  return (
    <RecordDialog
      title={account ? `Change ${account.name}` : 'Add a service account'}
      action={account ? 'Save' : 'Add'}
      form={account ? addressOf(account.name) : `${ACCOUNTS} new`}
      original={original}
      change={({ name, ...others }) => ({
        version: ACCOUNTS_VERSION,
        ...(account
          ? { method: 'PUT', address: addressOf(name), body: others }
          : { method: 'POST', address: ACCOUNTS, body: { name, ...others } }),
      })}
      done={({ name }) => `${name} is ${account ? 'changed' : 'added'}.`}
      onSaved={() => reloadOne(ACCOUNTS)}
      onClose={onClose}
      fields={({ name, description, owner }, set) => (
        <>
          {!account && (
            <>
              <p>A user for a program: without a password, and with the rights that roles and pipeline groups give it.</p>
              <label>
                Name
                <input
                  required
                  value={name}
                  onInput={({ currentTarget }) => set({ name: currentTarget.value })}
                  maxLength={255}
                  spellcheck={false}
                />
              </label>
            </>
          )}
          <Labelled label="What is it for?" isOptional>
            <input value={description} onInput={({ currentTarget }) => set({ description: currentTarget.value })} maxLength={1024} />
          </Labelled>
          <label>
            Owner, who answers for it
            <input
              required
              value={owner}
              onInput={({ currentTarget }) => set({ owner: currentTarget.value })}
              maxLength={255}
              spellcheck={false}
            />
          </label>
        </>
      )}
    />
  );
}

export function DeleteAccount({ account: { name }, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const remove = async (): Promise<void> => {
    await send(addressOf(name), { method: 'DELETE', version: ACCOUNTS_VERSION });
    showMessage(`${name} is deleted.`);
    reloadOne(ACCOUNTS);
  };
  return (
    <FormDialog title={`Delete ${name}`} action="Delete" isDangerous onClose={onClose} onSubmit={remove}>
      <p>Its access tokens are revoked, at once and for good.</p>
    </FormDialog>
  );
}
