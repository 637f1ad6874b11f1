// The problem that the server found in a field of a dialog, beside the field.
import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import type { FieldProblems } from '../../api/failure.ts';

/** By the names of the members that were sent. */
export const DialogProblems = createContext<FieldProblems>({});

interface OneField {
  /** For the control. */
  readonly control: { readonly 'data-field': string; readonly 'aria-invalid': boolean; readonly 'aria-describedby': string | undefined };
  readonly id: string;
  readonly text: string;
}

export function useFieldProblem(name: string): OneField {
  const id = useId();
  const text = (useContext(DialogProblems)[name] ?? []).join(' ');
  return { control: { 'data-field': name, 'aria-invalid': text !== '', 'aria-describedby': text === '' ? undefined : id }, id, text };
}

export function FieldProblem({ id, text }: Pick<OneField, 'id' | 'text'>) {
  if (text === '') return null;
  return (
    <span id={id} class="field-problems">
      {text}
    </span>
  );
}
