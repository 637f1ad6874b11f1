// The draft of a form made by hand.
import { effect, type Signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isSecretKey } from '../edit/secret-keys.ts';
import { draftBody } from './draft-body.ts';
import type { Draft } from './drafts.ts';
import { useDraft } from './use-draft.ts';

export interface BodyDraftOptions<T extends object> {
  /** Which form this is, among all that one user fills in. */
  readonly form: string;
  /** The version that is changed. */
  readonly etag: string | undefined;
  /** The typed values. */
  readonly body: Signal<T>;
  /** The values before the user typed. */
  readonly original: T;
  /** Where nothing can be changed, nothing is offered. */
  readonly isReadOnly?: boolean;
}

export interface BodyDraft {
  /** An earlier draft, until the user takes it up or discards it. */
  readonly offered: Draft | undefined;
  /** The version that the typed values are based on. */
  readonly etag: string | undefined;
  /** Goes on with it. */
  readonly takeUp: () => void;
  readonly discard: () => void;
  /** Keeps it for whichever version is the newest. */
  readonly keepForNewest: () => void;
}

/** Give the component that uses it another `key` for another version. */
export function useBodyDraft<T extends object>({ form, etag, body, original, isReadOnly = false }: BodyDraftOptions<T>): BodyDraft {
  const [base, setBase] = useState(etag);
  const toDraft = (typed: T) => draftBody(typed, original, isSecretKey);
  const start = useMemo(() => toDraft(original), []);
  const draft = useDraft({ form, etag: base, body: () => toDraft(body.peek()), original: start });
  // As it was drawn first: the user may type before the effect runs.
  const drawn = useMemo(() => body.peek(), []);
  useEffect(() => {
    let last = drawn;
    return effect(() => {
      if (body.value === last) return;
      last = body.value;
      draft.touch();
    });
  }, []);
  return {
    offered: isReadOnly ? undefined : draft.offered,
    etag: base,
    takeUp: () => {
      if (draft.offered === undefined) return;
      // Kept by this page, in the form that it sends.
      body.value = { ...original, ...(draft.offered.body as Partial<T>) };
      setBase(draft.offered.etag ?? etag);
      draft.answer();
    },
    discard: draft.discard,
    keepForNewest: draft.keepForNewest,
  };
}
