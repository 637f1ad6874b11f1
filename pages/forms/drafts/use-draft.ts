// Keeps the typed values of a form until they are saved.
import { useEffect, useRef, useState } from 'preact/hooks';
import { isSame, type JsonObject } from '../../api/json.ts';
import { currentSession } from '../../api/session.ts';
import { type Draft, draftKey, dropDraft, keepDraft, readDraft } from './drafts.ts';

/** Keys typed without a longer pause are kept together. */
const PAUSE_MS = 300;

export interface DraftOptions {
  /** Which form this is, among all that one user fills in. */
  readonly form: string;
  /** The version that is changed. */
  readonly etag: string | undefined;
  /** The current values, without secrets. */
  readonly body: () => JsonObject;
  /** The values before the user changed any. */
  readonly original: JsonObject;
}

export interface DraftUse {
  /** An earlier draft, until the user takes it up or discards it. */
  readonly offered: Draft | undefined;
  /** Goes on with it, or not. */
  readonly answer: () => void;
  readonly discard: () => void;
  /** To be called when the user may have typed. */
  readonly touch: () => void;
  /** Keeps it for whichever version is the newest. */
  readonly keepForNewest: () => void;
}

export function useDraft({ form, etag, body, original }: DraftOptions): DraftUse {
  // The draft still belongs to the user after the session has ended.
  const user = useRef('');
  user.current = currentSession()?.login_name ?? user.current;
  const key = draftKey(user.current, form);
  const find = () => ({ key, draft: offerIn(readDraft(localStorage, key), original) });
  const [offer, setOffer] = useState(find);
  // The user may be known only later, and with it the key of the draft.
  if (offer.key !== key) setOffer(find());
  const answer = (): void => setOffer({ key, draft: undefined });
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const keep = (isForNewest = false): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const typed = body();
    if (isSame(typed, original)) dropDraft(localStorage, key);
    else keepDraft(localStorage, key, { keptAt: Date.now(), etag: isForNewest ? null : (etag ?? null), body: typed });
  };
  const latest = useRef(keep);
  latest.current = keep;
  const discard = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    dropDraft(localStorage, key);
    answer();
  };
  useEffect(() => {
    const flush = (): void => {
      if (timer.current !== undefined) latest.current();
    };
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
  return {
    offered: offer.draft,
    answer,
    discard,
    touch: () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current(), PAUSE_MS);
    },
    keepForNewest: () => keep(true),
  };
}

/** A draft that equals the stored values is none any more. */
function offerIn(draft: Draft | undefined, original: JsonObject): Draft | undefined {
  return draft === undefined || isSame(draft.body, original) ? undefined : draft;
}
