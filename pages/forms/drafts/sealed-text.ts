// Text in a large field, which may hold secrets: kept in memory while the window is open, and encrypted in the browser for a reload.
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { send } from '../../api/client.ts';
import type { Json } from '../../api/json.ts';
import { currentSession, onUserChange } from '../../api/session.ts';
import { type Draft, draftKey, dropDraft, keepDraft, readDraft } from './drafts.ts';

const ADDRESS = '/api/current_user/sealed_drafts';
const VERSION = 1;
/** Keys typed without a longer pause are kept together. */
const PAUSE_MS = 500;
/** The server seals no longer ones, so they are not sent at each pause. */
const MAX_LENGTH = 500_000;

export interface SealedTextOptions<T> {
  /** Which form this is, among all that one user fills in. */
  readonly form: string;
  /** The part of a value that a draft needs to keep. */
  readonly pack: (value: T) => Json;
}

/** A draft from before the page was loaded. */
export interface SealedOffer {
  readonly draft: Pick<Draft, 'keptAt'>;
  readonly packed: Json;
}

export class SealedText<T> {
  readonly typed: Signal<T | undefined> = signal(undefined);
  /** Whether the browser has a draft of all that was typed. */
  readonly isKept = signal(true);
  readonly offered: Signal<SealedOffer | undefined> = signal(undefined);
  readonly #options: SealedTextOptions<T>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the changes: an answer that comes after another change is outdated. */
  #change = 0;

  constructor(options: SealedTextOptions<T>) {
    this.#options = options;
    // The draft stays: it is offered when its user comes back.
    onUserChange(() => {
      this.#stop();
      this.typed.value = undefined;
      this.offered.value = undefined;
    });
  }

  set(value: T): void {
    this.#stop();
    this.typed.value = value;
    this.isKept.value = false;
    this.#timer = setTimeout(() => void this.#keep(value), PAUSE_MS);
  }

  /** Forgets the text and its draft: it was saved, or the user discards it. */
  clear(): void {
    this.#stop();
    this.typed.value = undefined;
    this.offered.value = undefined;
    const key = this.#key();
    if (key !== undefined) dropDraft(localStorage, key);
  }

  /** Looks for a draft, unless the user is typing already. */
  async find(): Promise<void> {
    const key = this.#key();
    const draft = key === undefined ? undefined : readDraft(localStorage, key);
    if (this.typed.peek() !== undefined || draft === undefined) return;
    const change = this.#change;
    const opened = await unseal(this.#options.form, String(draft.body.sealed));
    if (opened !== undefined && change === this.#change) this.offered.value = { draft, packed: opened };
  }

  /** The user goes on with the draft, which the page has unpacked. */
  takeUp(value: T): void {
    this.offered.value = undefined;
    this.typed.value = value;
  }

  async #keep(value: T): Promise<void> {
    const change = this.#change;
    const key = this.#key();
    const sealed = key === undefined ? undefined : await seal(this.#options.form, this.#options.pack(value));
    if (key === undefined || sealed === undefined || change !== this.#change) return;
    this.isKept.value = keepDraft(localStorage, key, { keptAt: Date.now(), etag: null, body: { sealed } });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#change++;
    this.isKept.value = true;
  }

  #key(): string | undefined {
    const user = currentSession()?.login_name;
    return user === undefined ? undefined : draftKey(user, this.#options.form);
  }
}

/** The draft to offer on a page, which is looked for as soon as the user is known. */
export function useSealedOffer<T>(text: SealedText<T>): SealedOffer | undefined {
  const user = currentSession()?.login_name;
  useEffect(() => {
    if (user !== undefined) void text.find();
  }, [user]);
  return text.offered.value;
}

/** Undefined: the server refuses it, or cannot be reached. Then the page warns before the text is lost. */
async function seal(form: string, packed: Json): Promise<string | undefined> {
  const body = { form, text: JSON.stringify(packed) };
  if (body.text.length > MAX_LENGTH) return undefined;
  const answer = await send<{ readonly sealed: string }>(ADDRESS, { method: 'POST', version: VERSION, body }).catch(() => undefined);
  return answer?.sealed;
}

/** Undefined: it does not open, such as after a change of the key of the server. */
async function unseal(form: string, sealed: string): Promise<Json | undefined> {
  const body = { form, sealed };
  const answer = await send<{ readonly text: string }>(`${ADDRESS}/open`, { method: 'POST', version: VERSION, body }).catch(
    () => undefined,
  );
  return answer === undefined ? undefined : (JSON.parse(answer.text) as Json);
}
