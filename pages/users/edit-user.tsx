// Adds a user, or changes the mail settings of one.
import { MailFields, type MailSettings } from '../actions/mail-fields.tsx';
import { path } from '../api/address.ts';
import { reloadAll } from '../api/queries.ts';
import { RecordDialog } from '../forms/save/record-dialog.tsx';
import { FieldProblem, useFieldProblem } from '../kit/dialog/field-problem.tsx';
import { USERS_ADDRESS, USERS_VERSION, type User } from './user.ts';

const NEW_USER = { login_name: '', email: '', email_me: false, checkin_aliases: '' };

export function AddUser({ onClose }: { readonly onClose: () => void }) {
  return (
    <RecordDialog
      title="Add a user"
      action="Add"
      form={`${USERS_ADDRESS} new`}
      original={NEW_USER}
      change={(body) => ({ method: 'POST', address: USERS_ADDRESS, version: USERS_VERSION, body })}
      done={({ login_name }) => `${login_name} is added.`}
      onSaved={() => reloadAll(USERS_ADDRESS)}
      onClose={onClose}
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
  return (
    <RecordDialog<MailSettings>
      title={`Change ${login_name}`}
      action="Save"
      form={address}
      original={{ email, email_me, checkin_aliases: checkin_aliases.join(', ') }}
      change={(body) => ({ method: 'PATCH', address, version: USERS_VERSION, body })}
      done={() => `${login_name} is changed.`}
      onSaved={() => reloadAll(USERS_ADDRESS)}
      onClose={onClose}
      fields={(body, set) => (
        <>
          <MailFields value={body} onChange={set} />
          <p class="quiet">{roles.length === 0 ? 'Has no role.' : `Roles: ${roles.map(({ name }) => name).join(', ')}.`}</p>
        </>
      )}
    />
  );
}
