// Makes an access token, and shows its secret once: the server keeps a hash only.
import { urlOf } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { DraftDialog } from '../forms/save/draft-dialog.tsx';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { FieldProblem, useFieldProblem } from '../kit/dialog/field-problem.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';
import { Command } from '../kit/states.tsx';
import { type NewToken, TOKENS_VERSION } from './token.ts';
import { emptyFields, LIFETIMES, type TokenFields, tokenRequest } from './token-request.ts';

interface CreateTokenProps {
  /** Where tokens of its user are read. */
  readonly address: string;
  /** The scopes that the form begins with. */
  readonly scopes?: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly onMade: (token: NewToken | undefined) => void;
}

export function CreateToken({ address, scopes, onClose, onMade }: CreateTokenProps) {
  const create = async (fields: TokenFields): Promise<void> => {
    const answer = await send<NewToken>(address, { method: 'POST', version: TOKENS_VERSION, body: tokenRequest(fields, Date.now()) });
    reloadAll(address);
    onMade(answer);
  };
  return (
    <DraftDialog
      title="Create an access token"
      action="Create"
      form={`${address} new`}
      original={emptyFields(scopes)}
      onClose={onClose}
      onSubmit={create}
      fields={(fields, set) => <Fields fields={fields} set={set} />}
    />
  );
}

interface FieldsProps {
  readonly fields: TokenFields;
  readonly set: (changed: Partial<TokenFields>) => void;
}

function Fields({ fields, set }: FieldsProps) {
  return (
    <>
      <p>A program that sends the token has the rights of its user, as far as you do not limit them here.</p>
      <Description value={fields.description} onInput={(description) => set({ description })} />
      <label>
        Expires
        <select value={fields.days} onInput={({ currentTarget }) => set({ days: currentTarget.value })}>
          {Object.entries(LIFETIMES).map(([days, text]) => (
            <option key={days} value={days}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <Lines
        name="scopes"
        label="Scopes, one in each line"
        hint="Left empty: all rights of the user."
        placeholder="pipelines:operate:build-*"
        value={fields.scopes}
        onInput={(wanted) => set({ scopes: wanted })}
      />
      <Lines
        name="allowed_addresses"
        label="Addresses and networks, one in each line"
        hint="Left empty: from everywhere."
        placeholder="10.0.0.0/8"
        value={fields.addresses}
        onInput={(addresses) => set({ addresses })}
      />
    </>
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

interface LinesProps {
  /** The member that is sent. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Lines({ name, label, hint, placeholder, value, onInput }: LinesProps) {
  const problem = useFieldProblem(name);
  return (
    <Labelled label={label} isOptional>
      <textarea
        {...problem.control}
        rows={3}
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="quiet">{hint}</span>
      <FieldProblem {...problem} />
    </Labelled>
  );
}

export function NewSecret({ token: { description, token }, onClose }: { readonly token: NewToken; readonly onClose: () => void }) {
  return (
    // Closed by its button only: the token is lost then.
    <Dialog title={`The token “${description}”`}>
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
