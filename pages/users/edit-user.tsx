// Adds a user, or changes the mail settings of one.
import { useState } from 'preact/hooks';
import { MailFields, type MailSettings } from '../actions/mail-fields.tsx';
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { FieldProblem, useFieldProblem } from '../kit/dialog/field-problem.tsx';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { USERS_ADDRESS, USERS_VERSION, type User } from './user.ts';

export function AddUser({ onClose }: { readonly onClose: () => void }) {
  const [loginName, setLoginName] = useState('');
  const [mail, setMail] = useState<MailSettings>({ email: '', email_me: false, checkin_aliases: '' });
  const add = async (): Promise<void> => {
    await send(USERS_ADDRESS, { method: 'POST', version: USERS_VERSION, body: { login_name: loginName, ...mail } });
    showMessage(`${loginName} is added.`);
    reloadAll(USERS_ADDRESS);
  };
  return (
    <FormDialog title="Add a user" action="Add" onClose={onClose} onSubmit={add}>
      <p>The password is checked where it is kept: in a password file, or in LDAP. Users who can sign in there come by themselves.</p>
      <LoginName value={loginName} onInput={setLoginName} />
      <MailFields value={mail} onChange={setMail} />
    </FormDialog>
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
  const [mail, setMail] = useState<MailSettings>({ email, email_me, checkin_aliases: checkin_aliases.join(', ') });
  const save = async (): Promise<void> => {
    await send(path`/api/users/${login_name}`, { method: 'PATCH', version: USERS_VERSION, body: mail });
    showMessage(`${login_name} is changed.`);
    reloadAll(USERS_ADDRESS);
  };
  return (
    <FormDialog title={`Change ${login_name}`} action="Save" onClose={onClose} onSubmit={save}>
      <MailFields value={mail} onChange={setMail} />
      <p class="quiet">{roles.length === 0 ? 'Has no role.' : `Roles: ${roles.map(({ name }) => name).join(', ')}.`}</p>
    </FormDialog>
  );
}
