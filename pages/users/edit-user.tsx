// Adds a user, or changes the mail settings of one.
import { MailFields, type MailSettings } from '../actions/mail-fields.tsx';
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { DraftDialog } from '../forms/save/draft-dialog.tsx';
import { FieldProblem, useFieldProblem } from '../kit/dialog/field-problem.tsx';
import { showMessage } from '../kit/messages.tsx';
import { USERS_ADDRESS, USERS_VERSION, type User } from './user.ts';

const NEW_USER = { login_name: '', email: '', email_me: false, checkin_aliases: '' };

export function AddUser({ onClose }: { readonly onClose: () => void }) {
  const add = async (body: typeof NEW_USER): Promise<void> => {
    await send(USERS_ADDRESS, { method: 'POST', version: USERS_VERSION, body });
    showMessage(`${body.login_name} is added.`);
    reloadAll(USERS_ADDRESS);
  };
  return (
    <DraftDialog
      title="Add a user"
      action="Add"
      form={`${USERS_ADDRESS} new`}
      original={NEW_USER}
      onClose={onClose}
      onSubmit={add}
      fields={(body, set) => (
        <>
          <p>The password is checked where it is kept: in a password file, or in LDAP. Users who can sign in there come by themselves.</p>
          <LoginName value={body.login_name} onInput={(login_name) => set({ login_name })} />
          <MailFields value={body} onChange={set} />
        </>
      )}
    />
  );
}

function LoginName({ value, onInput }: { readonly value: string; readonly onInput: (value: string) => void }) {
  const problem = useFieldProblem('login_name');
  return (
    <label>
      Login name
      <input
        {...problem.control}
        required
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        maxLength={255}
        spellcheck={false}
      />
      <FieldProblem {...problem} />
    </label>
  );
}

export function EditUser({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { login_name, email, email_me, checkin_aliases, roles } = user;
  const address = path`/api/users/${login_name}`;
  const save = async (body: MailSettings): Promise<void> => {
    await send(address, { method: 'PATCH', version: USERS_VERSION, body });
    showMessage(`${login_name} is changed.`);
    reloadAll(USERS_ADDRESS);
  };
  return (
    <DraftDialog
      title={`Change ${login_name}`}
      action="Save"
      form={address}
      original={{ email, email_me, checkin_aliases: checkin_aliases.join(', ') }}
      onClose={onClose}
      onSubmit={save}
      fields={(body, set) => (
        <>
          <MailFields value={body} onChange={set} />
          <p class="quiet">{roles.length === 0 ? 'Has no role.' : `Roles: ${roles.map(({ name }) => name).join(', ')}.`}</p>
        </>
      )}
    />
  );
}
