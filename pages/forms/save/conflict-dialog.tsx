// Another user has saved first: the opened, own and present states side by side, and the choices of the user.
import { useState } from 'preact/hooks';
import { messageOf } from '../../api/failure.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import type { Conflict } from './conflict.ts';
import { ConflictView } from './conflict-view.tsx';

export interface ConflictDialogProps {
  readonly conflict: Conflict;
  readonly onClose: () => void;
  readonly onMerge: () => Promise<void>;
  /** The typed values stay as a draft. */
  readonly onShowTheirs: () => void;
}

export function ConflictDialog({ conflict, onClose, onMerge, onShowTheirs }: ConflictDialogProps) {
  const [failure, setFailure] = useState<string>();
  const [isMerging, setIsMerging] = useState(false);
  const canMerge = conflict.can_be_merged === true;
  const merge = async (): Promise<void> => {
    setIsMerging(true);
    try {
      await onMerge();
    } catch (problem) {
      setFailure(messageOf(problem));
      setIsMerging(false);
    }
  };
  return (
    <Dialog title="Another user has changed this, too" onClose={onClose} isWide>
      <div class="dialog-body">
        <ConflictView conflict={conflict} />
        <p>
          {canMerge
            ? 'You changed different fields: both changes can be kept.'
            : 'Look at theirs first. What you typed is kept as a draft, and offered there.'}
        </p>
        {failure !== undefined && (
          <p class="refusal" role="alert">
            {failure}
          </p>
        )}
      </div>
      <footer class="dialog-footer">
        <button type="button" class="button" onClick={onClose}>
          Back to the form
        </button>
        <button type="button" class={canMerge ? 'button' : 'button is-primary'} onClick={onShowTheirs}>
          Look at theirs
        </button>
        {canMerge && (
          <button type="button" class="button is-primary" disabled={isMerging} onClick={() => void merge()}>
            Merge and save
          </button>
        )}
      </footer>
    </Dialog>
  );
}
