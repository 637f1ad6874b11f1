// The frame of every field: its label, its description, and its problems.
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Optional } from '../../kit/fields/optional.tsx';
import { Prose } from './prose.tsx';

/** The attributes that tie a control to its label, its description and its problems. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
  readonly 'aria-required': boolean;
}

export interface FrameProps {
  readonly label: string;
  readonly about?: string | undefined;
  readonly isRequired: boolean;
  /** The field may be left empty. */
  readonly isOptional: boolean;
  readonly problems: Signal<readonly string[]>;
  /** In a row of a list: the description would stand there as often as there are rows. */
  readonly isCompact?: boolean;
  readonly children: (control: ControlProps) => ComponentChildren;
}

export function Frame({ label, about, isRequired, isOptional, problems, isCompact = false, children }: FrameProps) {
  const id = useId();
  const messages = problems.value;
  const isExplained = about !== undefined && !isCompact;
  const describedBy = [isExplained && `${id}about`, messages.length > 0 && `${id}problems`].filter((part) => part !== false).join(' ');
  return (
    <div class={messages.length > 0 ? 'field is-wrong' : 'field'}>
      <div class="field-label">
        <label for={id} title={isCompact ? about : undefined}>
          {label}
        </label>
        {isOptional && !isCompact && <Optional />}
      </div>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': messages.length > 0, 'aria-required': isRequired })}
      {isExplained && (
        <p id={`${id}about`} class="field-about">
          <Prose text={about} />
        </p>
      )}
      <Problems id={`${id}problems`} problems={messages} />
    </div>
  );
}

export function Problems({ id, problems }: { readonly id?: string; readonly problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul id={id} class="field-problems">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}

/** The problems of a field are dropped once the user changes it. */
export function forgetProblems(problems: Signal<readonly string[]>): void {
  if (problems.peek().length > 0) problems.value = [];
}
