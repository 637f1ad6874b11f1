// A sealed draft: text that a user has typed and not saved, encrypted so that only the same user can read it again, in the same form.
import type { Cipher } from '../../../kit/bytes/cipher.ts';

export interface Draft {
  /** The user who typed it, other than any user who had or gets the same name. */
  readonly user: string;
  /** The form it was typed into. */
  readonly form: string;
  readonly text: string;
}

export type DraftSeal = Pick<Cipher, 'sealDraft' | 'openDraft'>;

export function sealDraft(seal: DraftSeal, { user, form, text }: Draft): string {
  return seal.sealDraft(JSON.stringify([user, form, text]));
}

/** The text; undefined: another user, another form or another server has sealed it, or it was altered. */
export function openDraft(seal: DraftSeal, { user, form, text: sealed }: Draft): string | undefined {
  const plain = seal.openDraft(sealed);
  if (plain === undefined) return undefined;
  const [ofUser, ofForm, text] = JSON.parse(plain) as readonly string[];
  return ofUser === user && ofForm === form ? text : undefined;
}
