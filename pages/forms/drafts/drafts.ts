// Unsaved input, kept in the browser: it survives a reload and the end of a session. Callers leave secrets out.
import { isObject, type Json, type JsonObject } from '../../api/json.ts';

export interface Draft {
  /** In milliseconds since 1970. */
  readonly keptAt: number;
  /** The version that it changes; null: the newest, whichever that is. */
  readonly etag: string | null;
  readonly body: JsonObject;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'draft';

/** Drafts of one user are not for the next one at this browser. */
export function draftKey(user: string, form: string): string {
  return [PREFIX, encodeURIComponent(user), form].join(' ');
}

/** Whether the browser has it now: it may store nothing, or be full. Then the typed values stay until the user leaves the page. */
export function keepDraft(store: Store, key: string, draft: Draft): boolean {
  try {
    store.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function readDraft(store: Store, key: string): Draft | undefined {
  try {
    return draftIn(JSON.parse(store.getItem(key) ?? 'null') as Json);
  } catch {
    return undefined;
  }
}

export function dropDraft(store: Store, key: string): void {
  try {
    store.removeItem(key);
  } catch {
    // The browser stores nothing for this site: there are no drafts.
  }
}

function draftIn(value: Json): Draft | undefined {
  if (!isObject(value)) return undefined;
  const { keptAt, etag, body } = value;
  if (typeof keptAt !== 'number' || body === undefined || !isObject(body)) return undefined;
  return { keptAt, etag: typeof etag === 'string' ? etag : null, body };
}
