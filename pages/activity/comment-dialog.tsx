// The comment on a run: shown, and changed.
import { useState } from 'preact/hooks';
import { commentRun } from '../actions/pipeline-requests.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import type { Run } from './run.ts';

const MAX_LENGTH = 10_000;

export function CommentDialog({ run, onClose }: { readonly run: Run; readonly onClose: () => void }) {
  const [text, setText] = useState(run.comment ?? '');
  const save = async (): Promise<void> => {
    const answer = await commentRun(run.name, run.counter, text.trim());
    showMessage(answer?.message ?? 'The comment is saved.');
  };
  return (
    <FormDialog title={`Comment on ${run.name} ${run.label}`} action="Save" onClose={onClose} onSubmit={save}>
      <label>
        Comment
        <textarea rows={5} maxLength={MAX_LENGTH} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <p class="quiet">Everybody who may see the pipeline reads it. Without text it is removed.</p>
    </FormDialog>
  );
}
