// Adds a webhook, or changes one. What the server says of a field stands beside it.
import { useId, useState } from 'preact/hooks';
import { ApiFailure, type FieldProblems } from '../api/failure.ts';
import { reloadAll } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { tell } from '../kit/messages.tsx';
import { EMPTY_FORM, FILTER_PARTS, type FilterPart, type Form, formOf, WEBHOOKS_ADDRESS } from './webhook.ts';
import { type ReadWebhook, saveWebhook } from './webhook-requests.ts';

interface EditWebhookProps {
  /** undefined: a new one. */
  readonly read: ReadWebhook | undefined;
  readonly onClose: () => void;
}

export function EditWebhook({ read, onClose }: EditWebhookProps) {
  const [form, setForm] = useState(read === undefined ? EMPTY_FORM : formOf(read.webhook));
  const [problems, setProblems] = useState<FieldProblems>({});
  const save = async (): Promise<void> => {
    setProblems({});
    try {
      await saveWebhook(form, read);
    } catch (failure) {
      if (failure instanceof ApiFailure) setProblems(failure.fields);
      throw failure;
    }
    tell(`The webhook ${form.id} is ${read === undefined ? 'added' : 'changed'}.`);
    reloadAll(WEBHOOKS_ADDRESS);
  };
  const field = (name: TextMember, label: string, more: Partial<TextFieldProps> = {}) => (
    <TextField
      key={name}
      label={label}
      value={form[name]}
      problems={problems[name]}
      onChange={(value) => setForm({ ...form, [name]: value })}
      {...more}
    />
  );
  const filters = Object.keys(FILTER_PARTS) as FilterPart[];
  return (
    <FormDialog title={read === undefined ? 'Add a webhook' : `Change ${read.webhook.id}`} action="Save" onClose={onClose} onSubmit={save}>
      {read === undefined && field('id', 'Name')}
      {field('url', 'Address', { placeholder: 'https://chat.example.org/hook' })}
      {field('secret', 'Secret, by which deliveries are signed', {
        type: 'password',
        ...(read !== undefined && { placeholder: 'as it is' }),
      })}
      <fieldset>
        <legend>Which events</legend>
        <p class="quiet">Several are separated by commas; * and ? stand for anything. Empty: all.</p>
        {filters.map((part) => field(part, FILTER_PARTS[part], part === 'types' ? { placeholder: 'configuration.changed, backup.*' } : {}))}
      </fieldset>
      <label class="is-inline">
        <input
          type="checkbox"
          checked={form.enabled}
          onChange={({ currentTarget }) => setForm({ ...form, enabled: currentTarget.checked })}
        />
        Enabled: while it is not, events wait
      </label>
    </FormDialog>
  );
}

type TextMember = Exclude<keyof Form, 'enabled'>;

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly problems: readonly string[] | undefined;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password';
  readonly placeholder?: string;
}

function TextField({ label, value, problems, onChange, type = 'text', placeholder }: TextFieldProps) {
  const id = useId();
  return (
    <label>
      {label}
      <input
        type={type}
        value={value}
        placeholder={placeholder}
        autocomplete={type === 'password' ? 'new-password' : 'off'}
        spellcheck={false}
        aria-invalid={problems !== undefined}
        aria-describedby={problems === undefined ? undefined : id}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {problems !== undefined && (
        <span id={id} class="field-problem">
          {problems.join(' ')}
        </span>
      )}
    </label>
  );
}
