// The identities of Subversion repositories: asked for a few at a time, none for long, and kept, for they hardly ever change.
import { mkdirSync } from 'node:fs';
import { Semaphore } from '../../../kit/concurrency/limits/semaphore.ts';
import { setNewest } from '../../../kit/newest-entries.ts';
import type { Material } from '../../catalogue/material.ts';
import { longDescription } from '../../catalogue/messages.ts';
import { type SecretLookup, withSecrets } from '../../catalogue/secret-texts.ts';
import type { MaterialRules } from '../../clients/client.ts';
import { svnInfo } from './info.ts';
import { isSvn } from './material.ts';
import { Svn } from './svn.ts';

/** A request to a repository. All callers that wait for it share it; it is aborted when the last of them has gone. */
interface Question {
  readonly answer: Promise<string | undefined>;
  readonly stop: AbortController;
  askers: number;
}

const AT_ONCE = 10;
const LIMITS = { timeoutMs: 20_000, maxBytes: 1024 * 1024 };
const MAX_WAIT_MS = 20_000;
const MAX_KEPT = 10_000;

export class SvnUuids {
  readonly #directory: string;
  readonly #rules: MaterialRules;
  readonly #secrets: SecretLookup;
  readonly #onFailure: (failure: unknown, message: string) => void;
  readonly #slots = new Semaphore(AT_ONCE, Number.POSITIVE_INFINITY, MAX_WAIT_MS);
  /** By fingerprint, as everything here: it stands for the address and the login name. */
  readonly #kept = new Map<string, string>();
  readonly #questions = new Map<string, Question>();

  /** The programs run in the directory, and leave nothing there. */
  constructor(directory: string, rules: MaterialRules, secrets: SecretLookup, onFailure: (failure: unknown, message: string) => void) {
    this.#directory = directory;
    this.#rules = rules;
    this.#secrets = secrets;
    this.#onFailure = onFailure;
  }

  /** The UUID that its repository answered the last time. */
  known({ fingerprint }: Material): string | undefined {
    return this.#kept.get(fingerprint);
  }

  /** undefined: the repository could not be asked; failures go to `onFailure`. */
  async ask(material: Material, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    const question = this.#questions.get(material.fingerprint) ?? this.#begin(material);
    question.askers++;
    const leave = () => {
      if (--question.askers > 0) return;
      this.#forget(material, question);
      question.stop.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    return question.answer.finally(() => signal.removeEventListener('abort', leave));
  }

  close(): void {
    for (const { stop } of this.#questions.values()) stop.abort();
  }

  #begin(material: Material): Question {
    const stop = new AbortController();
    const question: Question = { stop, askers: 0, answer: this.#answerOf(material, stop.signal) };
    this.#questions.set(material.fingerprint, question);
    void question.answer.finally(() => this.#forget(material, question));
    return question;
  }

  #forget({ fingerprint }: Material, question: Question): void {
    if (this.#questions.get(fingerprint) === question) this.#questions.delete(fingerprint);
  }

  async #answerOf(material: Material, signal: AbortSignal): Promise<string | undefined> {
    const release = await this.#slots.acquire();
    if (!release) return undefined;
    try {
      signal.throwIfAborted();
      mkdirSync(this.#directory, { recursive: true });
      const context = { directory: this.#directory, signal, onActivity: () => {}, limits: LIMITS, ...this.#rules };
      const ready = await withSecrets(material, this.#secrets);
      if (!isSvn(ready)) return undefined;
      const { uuid } = await svnInfo(new Svn(ready, context));
      if (uuid !== undefined) setNewest(this.#kept, material.fingerprint, uuid, MAX_KEPT);
      return uuid;
    } catch (failure) {
      if (!signal.aborted) this.#onFailure(failure, `the repository of ${longDescription(material)} could not be asked for its identity`);
      return undefined;
    } finally {
      release();
    }
  }
}
