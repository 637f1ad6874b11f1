// Shared by all fields of a form: the problems that the server found in the last request.
import { computed, signal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { pluralize } from '../../kit/text/text.ts';
import { pathText } from './labels.ts';
import type { Path } from './lens.ts';
import { problemsAt } from './problems.ts';
import { ServerProblems } from './server-problems.ts';

const Problems = createContext(new ServerProblems(signal(undefined)));

interface EditingProps {
  readonly problems: ServerProblems;
  /** Nothing can be changed here, or not yet. */
  readonly isReadOnly?: boolean;
  /** Content that stays usable even then, such as the offer of a draft. */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Editing({ problems, isReadOnly = false, above, children }: EditingProps) {
  return (
    <Problems.Provider value={problems}>
      {above}
      <fieldset class="editing" disabled={isReadOnly}>
        {children}
      </fieldset>
    </Problems.Provider>
  );
}

/** The problems of one field, which is drawn again only when its problems change. */
export function useProblems(path: Path): string {
  const problems = useContext(Problems);
  const pathKey = path.join('\n');
  const own = useMemo(() => computed(() => problemsAt(problems.all.value, path).join('\n')), [problems, pathKey]);
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

interface ProblemSummaryProps {
  readonly problems: ServerProblems;
  /** Leads to the field of a problem; absent: all fields are visible. */
  readonly onChoose?: (path: Path) => void;
}

/** All problems that are left, by the names of their fields. */
export function ProblemSummary({ problems: { all }, onChoose }: ProblemSummaryProps) {
  const problems = all.value;
  if (problems.length === 0) return null;
  return (
    <div class="refusal" role="alert">
      <p>It cannot be saved like this: {pluralize(problems.length, 'problem')}.</p>
      <ul class="problem-list">
        {problems.map(({ path, messages }) => (
          <li key={path.join('\n')}>
            <ProblemPath path={path} onChoose={onChoose} />
            {messages.join(' ')}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A problem of the whole form has no place. */
function ProblemPath({ path, onChoose }: { readonly path: Path; readonly onChoose: ProblemSummaryProps['onChoose'] }) {
  const text = pathText(path);
  if (text === '') return null;
  return (
    <>
      {onChoose === undefined ? (
        <strong>{text}</strong>
      ) : (
        <button type="button" class="link-button" onClick={() => onChoose(path)}>
          {text}
        </button>
      )}
      {': '}
    </>
  );
}
