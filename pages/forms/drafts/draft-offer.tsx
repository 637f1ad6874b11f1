// Offers a draft that was not saved: the user continues or discards it.
import { dateTimeText } from '../../kit/text/time.ts';
import type { Draft } from './drafts.ts';
import type { BodyDraft } from './use-body-draft.ts';

export interface DraftOfferProps {
  readonly draft: Pick<Draft, 'keptAt'>;
  /** Drafts of forms are kept without secrets, drafts of large texts with them. */
  readonly hasSecrets?: boolean;
  readonly onContinue: () => void;
  readonly onDiscard: () => void;
}

export function DraftOffer({ draft, hasSecrets = false, onContinue, onDiscard }: DraftOfferProps) {
  return (
    <div class="stale draft" role="status">
      <span>
        You have an unsaved draft of {dateTimeText(draft.keptAt)}.{hasSecrets ? '' : ' Secrets that you typed are not in it.'}
      </span>
      <span class="draft-buttons">
        <button type="button" class="button is-primary" onClick={onContinue}>
          Continue
        </button>
        <button type="button" class="button" onClick={onDiscard}>
          Discard
        </button>
      </span>
    </div>
  );
}

/** The offer of a draft for a form that is not made from a schema. */
export function BodyDraftOffer({ draft: { offered, takeUp, discard } }: { readonly draft: BodyDraft }) {
  if (offered === undefined) return null;
  return <DraftOffer draft={offered} onContinue={takeUp} onDiscard={discard} />;
}
