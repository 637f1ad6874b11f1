// Checks the typed values without saving them.
import { computed } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { ApiFailure, messageOf } from '../api/failure.ts';
import { isObject, isSame, type JsonObject, textOf } from '../api/json.ts';
import { formBody } from '../forms/model/body.ts';
import type { ObjectNode } from '../forms/model/node.ts';
import { assignProblems, wrongFields } from '../forms/model/problems.ts';
import { pluralize } from '../kit/text/text.ts';
import type { Check } from './checks.ts';

export interface CheckButtonProps {
  readonly check: Check;
  readonly version: number;
  readonly root: ObjectNode;
}

interface Result {
  readonly text: string;
  readonly isRefusal: boolean;
  readonly isOfFields?: boolean;
  /** The values that were checked. */
  readonly body: JsonObject;
}

/** Any of them may have changed a value. */
const EVENTS = ['input', 'change', 'click'] as const;
const OTHER_VALUES = 'You have changed the values since. Check them again.';

export function CheckButton({ check: { label, address, done }, version, root }: CheckButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [result, setResult] = useState<Result>();
  const wrong = useMemo(() => computed(() => wrongFields(root)), [root]);
  // The user has changed all wrong fields: the old result no longer holds.
  const isOver = result?.isOfFields === true && wrong.value.length === 0;
  const [isBusy, setIsBusy] = useState(false);
  const run = async (): Promise<void> => {
    setIsBusy(true);
    setResult(undefined);
    const body = formBody(root);
    // An answer can take seconds, in which the user goes on typing.
    const isOfOthers = () => !isSame(body, formBody(root));
    try {
      const answer = await send<{ readonly message?: string | null }>(address, { method: 'POST', version, body });
      if (isOfOthers()) return setResult({ text: OTHER_VALUES, isRefusal: false, body: formBody(root) });
      assignProblems(root, undefined);
      setResult({ text: answer?.message ?? done, isRefusal: false, body });
    } catch (failure) {
      if (isOfOthers()) return setResult({ text: OTHER_VALUES, isRefusal: false, body: formBody(root) });
      const text = refusalText(failure, root);
      setResult({ text, isRefusal: true, isOfFields: wrong.peek().length > 0, body });
    } finally {
      setIsBusy(false);
    }
  };
  useEffect(() => {
    const form = button.current?.form;
    // Problems of fields go one by one, as the fields are changed.
    const dropOld = () => setResult((shown) => (shown?.isOfFields || isSame(shown?.body ?? {}, formBody(root)) ? shown : undefined));
    for (const event of EVENTS) form?.addEventListener(event, dropOld);
    return () => {
      for (const event of EVENTS) form?.removeEventListener(event, dropOld);
    };
  }, [root]);
  return (
    <>
      <button ref={button} type="button" class="button" aria-disabled={isBusy} onClick={() => void (isBusy || run())}>
        {isBusy ? `${label} …` : label}
      </button>
      <span role="status" class={result?.isRefusal && !isOver ? 'refusal' : undefined}>
        {isOver ? '' : result?.text}
        {result?.isOfFields === true && !isOver && correctionText(wrong.value)}
      </span>
    </>
  );
}

/** The fields can be far above the button. */
function correctionText(wrong: readonly string[]): string {
  return ` Correct ${pluralize(wrong.length, 'field')}: ${wrong.join(', ')}.`;
}

function refusalText(failure: unknown, root: ObjectNode): string {
  if (!(failure instanceof ApiFailure)) return messageOf(failure);
  const reason = isObject(failure.answer) ? textOf(failure.answer.reason) : '';
  // The reason first: it says what to correct.
  return [reason, failure.message, ...assignProblems(root, failure.answer)]
    .filter((text) => text !== '')
    .map((sentence) => (sentence.endsWith('.') ? sentence : `${sentence}.`))
    .join(' ');
}
