// Previews a change, asks why, and makes it. In a conflict it shows the changes of both users, and merges those that do not overlap.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DryRunPlan } from '../../api/change-answers.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { Dialog, focusFirstField } from '../../kit/dialog/dialog.tsx';
import { PlanPreview } from '../../kit/diff/plan-preview.tsx';
import { Loading } from '../../kit/states.tsx';
import { allProblems } from '../edit/problems.ts';
import { type Change, make, targetOf } from './change.ts';
import { type Conflict, conflictIn } from './conflict.ts';
import { ConflictView } from './conflict-view.tsx';
import { ReasonField } from './reason-field.tsx';
import { previewChange, type SaveResult, showSaved } from './requests.ts';
import { type Reason, useReason } from './use-reason.ts';

export interface SaveDialogProps {
  readonly title: string;
  /** The label of the button: a verb. */
  readonly action: string;
  readonly change: Change;
  /** The message after success. */
  readonly done: string;
  readonly onClose: () => void;
  readonly onSaved: (saved: SaveResult) => void;
  /** The server has found problems in the body; the dialog closes, and the form shows them. */
  readonly onRefused?: (failure: ApiFailure) => void;
  /** Another user has changed the entity: shows that version. The typed values stay as a draft. */
  readonly onShowTheirs?: () => void;
  readonly isDangerous?: boolean;
}

type State =
  | { readonly is: 'asking' }
  | { readonly is: 'planned'; readonly plan: DryRunPlan; readonly isMerged: boolean }
  | { readonly is: 'conflict'; readonly conflict: Conflict; readonly message: string }
  /** The reasons stand in the answer beside the values they are of; the dialog has no fields for them. */
  | { readonly is: 'refused'; readonly message: string; readonly reasons: readonly string[] };

export function SaveDialog(props: SaveDialogProps) {
  const { title, action, onClose, onShowTheirs, isDangerous = false } = props;
  const { state, reason, isSending, plan, save } = useSaving(props);
  const submit = (event: Event): void => {
    event.preventDefault();
    void save();
  };
  const form = useRef<HTMLFormElement>(null);
  // The first field is there only now, and gets the focus before a key can be pressed. Enter in it saves.
  useLayoutEffect(() => {
    if (state.is === 'planned') focusFirstField(form.current?.closest('dialog') ?? null);
  }, [state.is]);
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <form ref={form} onSubmit={submit}>
        <div class="dialog-body">
          <Body state={state} canShowTheirs={onShowTheirs !== undefined} />
          {state.is === 'planned' && <ReasonField reason={reason} />}
        </div>
        <footer class="dialog-footer">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          {state.is === 'conflict' && onShowTheirs !== undefined && (
            <button type="button" class="button" onClick={onShowTheirs}>
              Look at theirs
            </button>
          )}
          {state.is === 'conflict' && state.conflict.can_be_merged === true && (
            <button type="button" class="button is-primary" onClick={() => plan(true)}>
              Merge mine into theirs
            </button>
          )}
          {state.is === 'planned' && (
            <button type="submit" class={isDangerous ? 'button is-dangerous' : 'button is-primary'} disabled={isSending}>
              {isSending ? `${action} …` : action}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

interface SaveState {
  readonly state: State;
  readonly reason: Reason;
  readonly isSending: boolean;
  readonly plan: (isMerged: boolean) => void;
  readonly save: () => Promise<void>;
}

function useSaving({ change, done, onSaved, onRefused }: SaveDialogProps): SaveState {
  const [state, setState] = useState<State>({ is: 'asking' });
  const reason = useReason(`${change.method} ${change.address}`);
  const [isSending, setIsSending] = useState(false);
  const refuse = (problem: unknown): void => {
    const conflict = problem instanceof ApiFailure && problem.status === 412 ? conflictIn(problem.answer) : undefined;
    if (conflict !== undefined) setState({ is: 'conflict', conflict, message: messageOf(problem) });
    else if (problem instanceof ApiFailure && problem.status === 422 && onRefused !== undefined) onRefused(problem);
    else setState({ is: 'refused', message: messageOf(problem), reasons: reasonsIn(problem) });
  };
  const plan = (isMerged: boolean): void => {
    setState({ is: 'asking' });
    previewChange(targetOf(change), change.body, { isMerged }).then((found) => setState({ is: 'planned', plan: found, isMerged }), refuse);
  };
  const save = async (): Promise<void> => {
    if (state.is !== 'planned' || isSending) return;
    setIsSending(true);
    try {
      const saved = await make(change, { reason: reason.text, isMerged: state.isMerged });
      reason.forget();
      showSaved(done, saved);
      onSaved(saved);
    } catch (problem) {
      refuse(problem);
    } finally {
      setIsSending(false);
    }
  };
  useEffect(() => plan(false), []);
  return { state, reason, isSending, plan, save };
}

function Body({ state, canShowTheirs }: { readonly state: State; readonly canShowTheirs: boolean }) {
  if (state.is === 'asking') return <Loading what="Asking what would change" />;
  if (state.is === 'planned') return <PlanPreview plan={state.plan} />;
  if (state.is === 'conflict')
    return (
      <>
        <p class="refusal" role="alert">
          {state.message}
        </p>
        <ConflictView conflict={state.conflict} />
        <p>{adviceIn(state.conflict, canShowTheirs)}</p>
      </>
    );
  return (
    <div class="refusal" role="alert">
      <p>{state.message}</p>
      {state.reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </div>
  );
}

/** The reasons that the message does not contain. */
function reasonsIn(problem: unknown): readonly string[] {
  if (!(problem instanceof ApiFailure)) return [];
  const reasons = allProblems(problem.data).flatMap(({ messages }) => messages);
  return [...new Set(reasons)].filter((reason) => !problem.message.includes(reason));
}

function adviceIn({ can_be_merged: canBeMerged }: Conflict, canShowTheirs: boolean): string {
  if (canBeMerged === true) return 'You changed different fields: both changes can be kept.';
  const advice = canShowTheirs
    ? 'Look at theirs first: what you typed is kept as a draft, and offered there.'
    : 'Close this dialog and open it again: it begins with theirs then.';
  return `What both have changed cannot be merged. ${advice}`;
}
