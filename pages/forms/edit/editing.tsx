// What all fields of a form share: what the server said is wrong with what was sent last.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { Path } from './part.ts';
import { type Answered, allProblems, placeText, problemsAt } from './problems.ts';

const Answer = createContext<ReadonlySignal<Answered>>(signal(undefined));

interface EditingProps {
  /** What the server answered to what was sent last. */
  readonly answered: Signal<Answered>;
  /** Nothing can be changed here, or not yet. */
  readonly isReadOnly?: boolean;
  /** What can be used even then, such as the offer of a draft. */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Editing({ answered, isReadOnly = false, above, children }: EditingProps) {
  return (
    <Answer.Provider value={answered}>
      {above}
      <fieldset class="editing" disabled={isReadOnly}>
        {children}
      </fieldset>
    </Answer.Provider>
  );
}

/** The problems of one field, which is drawn again only when they are others. */
export function useProblems(path: Path): string {
  const answered = useContext(Answer);
  const place = path.join('\n');
  const own = useMemo(() => computed(() => problemsAt(answered.value, path).join('\n')), [answered, place]);
  return own.value;
}

/** Problems beside a field. */
export function FieldProblems({ text, id }: { readonly text: string; readonly id?: string }) {
  if (text === '') return null;
  return (
    <span id={id} class="field-problems" role="alert">
      {text}
    </span>
  );
}

/** All of them, for those that belong to no field in sight. */
export function ProblemSummary({ answered }: { readonly answered: ReadonlySignal<Answered> }) {
  const problems = allProblems(answered.value);
  if (problems.length === 0) return null;
  return (
    <div class="refusal" role="alert">
      <ul class="problem-list">
        {problems.map(({ path, messages }) => (
          <li key={path.join('\n')}>
            <strong>{placeText(path)}</strong>: {messages.join(' ')}
          </li>
        ))}
      </ul>
    </div>
  );
}
