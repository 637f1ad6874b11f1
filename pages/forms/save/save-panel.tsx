// The steps of every change: preview it, give a reason, save. Problems that the server finds stand beside their fields.

import type { ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DryRunPlan } from '../../api/change-answers.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { isSame, type JsonObject } from '../../api/json.ts';
import { pluralize } from '../../kit/text/text.ts';
import { ChangeSummary } from './change-summary.tsx';
import { type Conflict, conflictIn } from './conflict.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { previewText } from './preview-text.ts';
import { ReasonField } from './reason-field.tsx';
import { previewChange, type SaveResult, type SaveTarget, saveChange } from './requests.ts';
import { useReason } from './use-reason.ts';

export interface SavePanelProps {
  readonly target: SaveTarget;
  /** The body that would be sent now. */
  readonly body: () => JsonObject;
  /** Puts problems beside their fields; returns the problems without a field. */
  readonly onRefused: (failure: ApiFailure) => readonly string[];
  /** The labels of fields that have problems now. */
  readonly wrong: ReadonlySignal<readonly string[]>;
  readonly onSaved: (saved: SaveResult) => void;
  /** Shows the version of the other user. */
  readonly onShowTheirs: () => void;
}

/** Belongs into the form: Enter presses its first button. */
export function SavePanel(props: SavePanelProps) {
  const { plan, isAgain, refusal, conflict, isBusy, reason, back, closeConflict, preview, save } = useSaving(props);
  const panel = useRef<HTMLDivElement>(null);
  useShown(panel, plan);
  return (
    <div class="save" ref={panel}>
      {refusal !== undefined && <RefusalView refusal={refusal} wrong={props.wrong} />}
      {isAgain && <p role="status">You have changed more since you looked. Now this will change:</p>}
      {plan !== undefined && <ChangeSummary plan={plan} />}
      {plan !== undefined && plan.changes.length > 0 && (
        <div class="save-reason">
          <ReasonField reason={reason} />
        </div>
      )}
      <div class="save-buttons">
        {plan === undefined || plan.changes.length === 0 ? (
          <button
            type="submit"
            class="button is-primary"
            aria-disabled={isBusy}
            onClick={(event) => preventing(event, () => void preview())}
          >
            {previewText()}
          </button>
        ) : (
          <>
            <button
              type="submit"
              class="button is-primary"
              aria-disabled={isBusy}
              onClick={(event) => preventing(event, () => void save(false))}
            >
              Save
            </button>
            <button type="button" class="button" aria-disabled={isBusy} onClick={back}>
              Go on editing
            </button>
          </>
        )}
        {isBusy && (
          <span class="quiet" role="status">
            …
          </span>
        )}
      </div>
      {conflict !== undefined && (
        <ConflictDialog
          conflict={conflict}
          onClose={closeConflict}
          onMerge={() => save(true)}
          onShowTheirs={() => {
            closeConflict();
            props.onShowTheirs();
          }}
        />
      )}
    </div>
  );
}

/** A preview opens below the fields, which may be the whole window, and takes the place of the button that was pressed. */
function useShown(panel: RefObject<HTMLElement>, plan: DryRunPlan | undefined): void {
  useEffect(() => {
    if (plan === undefined || plan.changes.length === 0) return;
    // Enter in the field saves.
    panel.current?.querySelector<HTMLElement>('.save-reason input')?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [plan]);
}

interface Refusal {
  readonly message: string;
  /** Messages that belong to no field. */
  readonly others: readonly string[];
  /** Whether all of it is about fields: then it is over when they are changed. */
  readonly isOfFields: boolean;
}

interface RefusalViewProps {
  readonly refusal: Refusal;
  readonly wrong: SavePanelProps['wrong'];
}

function RefusalView({ refusal: { message, others, isOfFields }, wrong: { value: wrong } }: RefusalViewProps) {
  if (isOfFields && wrong.length === 0) return null;
  return (
    <div class="refusal" role="alert">
      {wrong.length > 0 ? (
        <p>
          It cannot be saved like this. Correct {pluralize(wrong.length, 'field')}: {wrong.join(', ')}.
        </p>
      ) : (
        <p>{message}</p>
      )}
      {others.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function preventing(event: Event, action: () => void): void {
  event.preventDefault();
  action();
}

interface PreviewedPlan {
  readonly plan: DryRunPlan;
  readonly body: JsonObject;
  /** The user has changed more since the last preview. */
  readonly isAgain: boolean;
}

function useSaving({ target, body, onRefused, wrong, onSaved }: SavePanelProps) {
  const [previewed, setPreviewed] = useState<PreviewedPlan>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [conflict, setConflict] = useState<Conflict>();
  const [isBusy, setIsBusy] = useState(false);
  const reason = useReason(`${target.method} ${target.address}`);
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setRefusal(undefined);
    try {
      await action();
    } catch (failure) {
      setPreviewed(undefined);
      const found = failure instanceof ApiFailure && failure.status === 412 ? conflictIn(failure.answer) : undefined;
      if (found !== undefined) setConflict(found);
      else {
        const others = failure instanceof ApiFailure ? onRefused(failure) : [];
        setRefusal({ message: messageOf(failure), others, isOfFields: others.length === 0 && wrong.peek().length > 0 });
      }
    } finally {
      setIsBusy(false);
    }
  };
  const look = async (sent: JsonObject, isAgain: boolean): Promise<void> =>
    setPreviewed({ plan: await previewChange(target, sent), body: sent, isAgain });
  const preview = (): Promise<void> => attempt(() => look(body(), false));
  const make = async (sent: JsonObject, isMerged: boolean): Promise<void> => {
    const saved = await saveChange(target, sent, { reason: reason.text, isMerged });
    reason.forget();
    onSaved(saved);
  };
  const save = async (isMerged: boolean): Promise<void> => {
    const sent = body();
    if (!isMerged && !isSame(sent, previewed?.body)) return attempt(() => look(sent, true));
    if (isMerged) {
      // The dialog shows the failure.
      await make(sent, true);
      setConflict(undefined);
      return;
    }
    return attempt(() => make(sent, false));
  };
  return {
    plan: previewed?.plan,
    isAgain: previewed?.isAgain ?? false,
    refusal,
    conflict,
    isBusy,
    reason,
    preview,
    save,
    back: () => setPreviewed(undefined),
    closeConflict: () => setConflict(undefined),
  };
}
