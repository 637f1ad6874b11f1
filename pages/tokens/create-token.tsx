// Makes an access token, and shows its secret once: the server keeps a hash only.
import { useState } from 'preact/hooks';
import { urlOf } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { FieldProblem, useFieldProblem } from '../kit/dialog/field-problem.tsx';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { Command } from '../kit/states.tsx';
import { type NewToken, OWN_TOKENS, TOKENS_VERSION } from './token.ts';

interface CreateTokenProps {
  readonly onClose: () => void;
  readonly onMade: (token: NewToken | undefined) => void;
}

export function CreateToken({ onClose, onMade }: CreateTokenProps) {
  const [description, setDescription] = useState('');
  const create = async (): Promise<void> => {
    const answer = await send<NewToken>(OWN_TOKENS, { method: 'POST', version: TOKENS_VERSION, body: { description } });
    reloadAll(OWN_TOKENS);
    onMade(answer);
  };
  return (
    <FormDialog title="Create an access token" action="Create" onClose={onClose} onSubmit={create}>
      <p>A program that sends the token has all your rights, until you revoke it.</p>
      <Description value={description} onInput={setDescription} />
    </FormDialog>
  );
}

function Description({ value, onInput }: { readonly value: string; readonly onInput: (value: string) => void }) {
  const problem = useFieldProblem('description');
  return (
    <label>
      What is it for?
      <input {...problem.control} required value={value} onInput={({ currentTarget }) => onInput(currentTarget.value)} maxLength={1024} />
      <FieldProblem {...problem} />
    </label>
  );
}

export function NewSecret({ token: { description, token }, onClose }: { readonly token: NewToken; readonly onClose: () => void }) {
  return (
    <Dialog title={`The token “${description}”`} onClose={onClose}>
      <div class="dialog-body">
        <p>Copy it now: it is not shown again.</p>
        <Command text={token} />
        <p>A program sends it with every request, such as</p>
        <Command text={`curl --header 'Authorization: bearer ${token}' ${urlOf('/api/current_user')}`} />
      </div>
      <footer class="dialog-footer">
        <button type="button" class="button is-primary" onClick={onClose}>
          I have copied it
        </button>
      </footer>
    </Dialog>
  );
}
