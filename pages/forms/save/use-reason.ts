// The reason of a change, kept in the browser until the change is made: it survives a reload and the end of a session.
import { useRef, useState } from 'preact/hooks';
import { textOf } from '../../api/json.ts';
import { useDraft } from '../drafts/use-draft.ts';

export interface Reason {
  readonly text: string;
  readonly set: (text: string) => void;
  /** One that was typed before the page was loaded. Only the user takes it up: it may be the reason of another change. */
  readonly earlier: string | undefined;
  readonly takeUp: () => void;
  /** The change is made. */
  readonly forget: () => void;
}

const NONE = { reason: '' };

/** `of` is what is changed. */
export function useReason(of: string): Reason {
  const [text, setText] = useState('');
  const latest = useRef('');
  const draft = useDraft({ form: `${of} reason`, etag: undefined, body: () => ({ reason: latest.current }), original: NONE });
  const show = (next: string): void => {
    latest.current = next;
    setText(next);
    draft.answer();
  };
  const earlier = draft.offered === undefined ? '' : textOf(draft.offered.body.reason);
  return {
    text,
    set: (next) => {
      show(next);
      draft.touch();
    },
    earlier: earlier === '' ? undefined : earlier,
    takeUp: () => show(earlier),
    forget: draft.discard,
  };
}
