// Checks the typed values without saving them.
import { computed } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { ApiFailure, messageOf } from '../api/failure.ts';
import { isObject, textOf } from '../api/json.ts';
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

export function CheckButton({ check: { label, address, done }, version, root }: CheckButtonProps) {
  const [result, setResult] = useState<{ readonly text: string; readonly isRefusal: boolean; readonly isOfFields?: boolean }>();
  const wrong = useMemo(() => computed(() => wrongFields(root)), [root]);
  // The user has changed all wrong fields: the old result no longer holds.
  const isOver = result?.isOfFields === true && wrong.value.length === 0;
  const [isBusy, setIsBusy] = useState(false);
  const run = async (): Promise<void> => {
    setIsBusy(true);
    setResult(undefined);
    try {
      const answer = await send<{ readonly message?: string | null }>(address, { method: 'POST', version, body: formBody(root) });
      assignProblems(root, undefined);
      setResult({ text: answer?.message ?? done, isRefusal: false });
    } catch (failure) {
      const text = refusalText(failure, root);
      setResult({ text, isRefusal: true, isOfFields: wrong.peek().length > 0 });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <button type="button" class="button" aria-disabled={isBusy} onClick={() => void (isBusy || run())}>
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
