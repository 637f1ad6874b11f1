// A value that the user types or chooses as one text.

import { CronTimes } from '../../kit/cron/cron-times.tsx';
import type { TextNode } from '../model/node.ts';
import { namesOfResource } from '../names/names.ts';
import { pluginNames } from '../names/plugins.ts';
import type { ChoiceField, TextField } from '../schema/fields.ts';
import { type ControlProps, Frame, forgetProblems } from './frame.tsx';
import { NameInput } from './name-input.tsx';

export interface TextViewProps {
  readonly node: TextNode;
  readonly isCompact: boolean;
}

export function TextView({ node, isCompact }: TextViewProps) {
  const { field, problems } = node;
  return (
    <Frame
      label={field.label}
      about={field.about}
      isRequired={field.isRequired}
      isOptional={!field.isRequired && field.kind !== 'choice'}
      problems={problems}
      isCompact={isCompact}
    >
      {(control) => <TextControl node={node} control={control} />}
    </Frame>
  );
}

function TextControl({ node, control }: { readonly node: TextNode; readonly control: ControlProps }) {
  const { field, text, problems } = node;
  const change = (value: string): void => {
    text.value = value;
    forgetProblems(problems);
  };
  const typed = { ...control, value: text.value, spellcheck: false };
  switch (field.kind) {
    case 'choice':
      return <Choices field={field} control={control} value={text.value} onChange={change} />;
    case 'reference':
      return (
        <NameInput
          label={field.label}
          control={control}
          value={text.value}
          onChange={change}
          read={() => namesOfResource(field.resource)}
        />
      );
    case 'plugin':
      return (
        <NameInput label={field.label} control={control} value={text.value} onChange={change} read={() => pluginNames(field.extension)} />
      );
    case 'json':
      return <textarea {...typed} rows={6} class="is-code" onInput={({ currentTarget }) => change(currentTarget.value)} />;
    case 'number':
      return <input {...typed} inputMode="decimal" class="is-short" onInput={({ currentTarget }) => change(currentTarget.value)} />;
    case 'text':
      return field.format === 'multiline' ? (
        <textarea {...typed} rows={5} onInput={({ currentTarget }) => change(currentTarget.value)} />
      ) : (
        <>
          <input {...typed} {...hintsFor(field)} onInput={({ currentTarget }) => change(currentTarget.value)} />
          {field.format === 'cron' && text.value.trim() !== '' && <CronTimes spec={text.value} />}
        </>
      );
  }
}

/** The keyboard of a phone, and the style of the field. The server validates the value, so the browser does not. */
function hintsFor({ format }: TextField): { readonly inputMode?: 'email' | 'url' | 'numeric'; readonly class?: string } {
  if (format === 'email') return { inputMode: 'email' };
  if (format === 'uri') return { inputMode: 'url' };
  if (format === 'minutes') return { inputMode: 'numeric', class: 'is-short' };
  if (format === 'cron' || format === 'path') return { class: 'is-code' };
  return {};
}

interface ChoicesProps {
  readonly field: ChoiceField;
  readonly control: ControlProps;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The present value can still be chosen when it is no longer among the choices. */
function Choices({ field: { choices }, control, value, onChange }: ChoicesProps) {
  const isKnown = choices.some((choice) => choice.value === value);
  return (
    <select {...control} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)}>
      {!isKnown && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
