// One setting of a plugin.
import type { DeclaredSetting } from '../model/declared.ts';
import type { Setting } from '../model/settings.ts';
import type { Choice } from '../schema/schema.ts';
import { type ControlProps, Frame, forgetProblems, Problems } from './frame.tsx';
import { SecretInput } from './secret-input.tsx';

export function SettingView({ setting, declared }: { readonly setting: Setting; readonly declared: DeclaredSetting }) {
  const { label, about, kind, isRequired, isOptional } = declared;
  const isTyped = kind !== 'choice' && kind !== 'boolean';
  return (
    <Frame label={label} about={about} isRequired={isRequired} isOptional={isOptional && isTyped} problems={setting.problems}>
      {(control) => <SettingControl setting={setting} declared={declared} control={control} />}
    </Frame>
  );
}

interface ControlOfSetting {
  readonly setting: Setting;
  readonly declared: DeclaredSetting;
  readonly control: ControlProps;
}

function SettingControl({ setting, declared, control }: ControlOfSetting) {
  const { typed, encrypted, isSecret, problems } = setting;
  const { kind, choices, label, defaultValue, isRequired } = declared;
  const change = (text: string): void => {
    typed.value = text;
    forgetProblems(problems);
  };
  const value = typed.value ?? '';
  if (isSecret.value) {
    return (
      <SecretInput
        label={label}
        control={control}
        isSet={encrypted !== undefined}
        typed={typed}
        isRequired={isRequired}
        isMultiline={kind === 'multiline'}
        onChange={() => forgetProblems(problems)}
      />
    );
  }
  if (kind === 'multiline')
    return (
      <textarea
        {...control}
        rows={4}
        value={value}
        placeholder={defaultValue}
        spellcheck={false}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    );
  if (kind === 'choice' || kind === 'boolean') {
    const offered = kind === 'boolean' ? YES_OR_NO : choices;
    const isKnown = offered.some((choice) => choice.value === value);
    return (
      <select {...control} value={value} onInput={({ currentTarget }) => change(currentTarget.value)}>
        {!isKnown && value !== '' && <option value={value}>{value}</option>}
        <option value="">{emptyText(offered, defaultValue)}</option>
        {offered.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...control}
      value={value}
      placeholder={defaultValue}
      spellcheck={false}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      class={kind === 'number' ? 'is-short' : undefined}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

/** The text of the empty choice: the default. */
function emptyText(choices: readonly Choice[], defaultValue: string | undefined): string {
  return defaultValue === undefined ? '' : `As usual: ${choices.find(({ value }) => value === defaultValue)?.label ?? defaultValue}`;
}

const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
] as const;

/** A setting that the plugin does not declare: its key is typed, too. */
export function SettingRow({ setting, onRemove }: { readonly setting: Setting; readonly onRemove: () => void }) {
  const { key, typed, encrypted, isSecret, problems } = setting;
  const name = key.value === '' ? 'the setting' : key.value;
  const input = { id: undefined, 'aria-invalid': problems.value.length > 0 };
  return (
    <>
      <div class="row-fields">
        <input
          {...input}
          aria-label="Key"
          value={key.value}
          spellcheck={false}
          onInput={({ currentTarget }) => {
            key.value = currentTarget.value;
            forgetProblems(problems);
          }}
        />
        {isSecret.value ? (
          <SecretInput
            label={name}
            control={{ id: `setting${setting.id}`, 'aria-describedby': undefined, 'aria-invalid': false, 'aria-required': false }}
            isSet={encrypted !== undefined}
            typed={typed}
            isRequired={false}
            onChange={() => forgetProblems(problems)}
          />
        ) : (
          <input
            {...input}
            aria-label={`Value of ${name}`}
            value={typed.value ?? ''}
            spellcheck={false}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
              forgetProblems(problems);
            }}
          />
        )}
        <button type="button" class="icon-button" aria-label={`Remove ${name}`} onClick={onRemove}>
          ×
        </button>
      </div>
      <Problems problems={problems.value} />
    </>
  );
}
