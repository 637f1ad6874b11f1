// Restores an entity to an earlier state, unless another user changes it at the same time.
import { useEffect, useState } from 'preact/hooks';
import type { EntityName } from '../api/change-answers.ts';
import { request } from '../api/client.ts';
import { ApiFailure, messageOf } from '../api/failure.ts';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { entityText } from '../kit/diff/change-text.ts';
import { addressOfEntity } from '../kit/resources.ts';
import { Loading } from '../kit/states.tsx';
import { historyAddress } from './entity.ts';
import { RevertDialog } from './revert-dialog.tsx';

interface RestoreDialogProps {
  readonly entity: EntityName;
  readonly revision: number;
  readonly onClose: () => void;
}

export function RestoreDialog({ entity, revision, onClose }: RestoreDialogProps) {
  const { etag, failure, isRead, isGone } = useEtag(entity);
  const title = `Restore ${entityText(entity)} as of revision ${revision}`;
  if (!isRead) {
    return (
      <Dialog title={title} onClose={onClose}>
        {failure === undefined ? (
          <Loading />
        ) : (
          <p class="refusal" role="alert">
            {failure}
          </p>
        )}
      </Dialog>
    );
  }
  return (
    <RevertDialog
      title={title}
      action="Restore"
      defaultReason={`Revert to revision ${revision}`}
      address={historyAddress(entity, 'revert')}
      body={{ revision }}
      ifMatch={etag}
      isNewOnly={isGone}
      onClose={onClose}
    />
  );
}

interface ReadEtag {
  readonly isRead: boolean;
  readonly etag?: string;
  /** The entity does not exist now. */
  readonly isGone?: boolean;
  readonly failure?: string;
}

/** The version that the user sees: the preview is about this version. */
function useEtag(entity: EntityName): ReadEtag {
  const [state, setState] = useState<ReadEtag>({ isRead: false });
  useEffect(() => {
    const address = addressOfEntity(entity);
    if (address === undefined) {
      setState({ isRead: true });
      return;
    }
    request(address).then(
      ({ headers }) => setState({ isRead: true, etag: headers.get('ETag') ?? undefined }),
      (failure: unknown) => {
        const isGone = failure instanceof ApiFailure && failure.status === 404;
        setState(isGone ? { isRead: true, isGone } : { isRead: false, failure: messageOf(failure) });
      },
    );
  }, []);
  return state;
}
