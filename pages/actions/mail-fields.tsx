// The mail address of a user, and the names under which the user commits: set by the user, or by administrators.
import { FieldProblem, useFieldProblem } from '../kit/dialog/field-problem.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';

export interface MailSettings {
  readonly email: string;
  readonly email_me: boolean;
  /** Separated by commas, as the API takes them, too. */
  readonly checkin_aliases: string;
}

interface MailFieldsProps {
  readonly value: MailSettings;
  readonly onChange: (value: MailSettings) => void;
}

export function MailFields({ value, onChange }: MailFieldsProps) {
  const email = useFieldProblem('email');
  const aliases = useFieldProblem('checkin_aliases');
  return (
    <>
      <Labelled label="Mail address" isOptional>
        <input
          {...email.control}
          value={value.email}
          onInput={({ currentTarget }) => onChange({ ...value, email: currentTarget.value })}
          inputMode="email"
          autocomplete="off"
          spellcheck={false}
        />
        <FieldProblem {...email} />
      </Labelled>
      <label class="is-inline">
        <input
          type="checkbox"
          checked={value.email_me}
          onInput={({ currentTarget }) => onChange({ ...value, email_me: currentTarget.checked })}
        />
        Send the mails that the notification filters ask for
      </label>
      <Labelled label="Commits as (names, separated by commas)" isOptional>
        <input
          {...aliases.control}
          value={value.checkin_aliases}
          onInput={({ currentTarget }) => onChange({ ...value, checkin_aliases: currentTarget.value })}
          spellcheck={false}
        />
        <FieldProblem {...aliases} />
      </Labelled>
    </>
  );
}
