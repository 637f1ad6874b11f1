// The configuration as it was when somebody began to look, while others go on changing it.
import { Accepted } from './accepted.ts';
import type { Config } from './current.ts';
import { Draft, type Edit } from './draft.ts';
import type { Entry } from './entry.ts';
import { nameOf } from './references.ts';

export class StillView {
  readonly #config: Config;
  /** What has changed since, undone. */
  readonly #undone: Accepted;

  constructor(config: Config) {
    this.#config = config;
    this.#undone = new Accepted(config);
  }

  /** Sees nothing of what changes from now on. */
  draft(): Draft {
    return new Draft(this.#config, this.#undone);
  }

  /**
   * Whether what has changed since and what is edited in a draft of this view have nothing to do with each other, so that both may be in
   * force. Kinds that both edit are taken for connected: some rules follow ways through others.
   */
  isBeside(draft: Draft): boolean {
    const edits = draft.edits.filter(({ before, after }) => before !== after);
    const kinds = new Set(edits.map(({ kind }) => kind));
    const names = new Set(edits.map(({ kind, key }) => nameOf(kind, key)));
    const isOfDraft = (target: string) => names.has(target) || draft.touched.of(target).size > 0;
    return [...this.#undone.edits.values()].every(({ kind, key, before, after }) => {
      const targets = [before, after].flatMap((entry) => [
        ...(entry ? this.#config.references.targetsOf(kind, entry.value, draft.findEntity) : []),
      ]);
      return !kinds.has(kind) && ![nameOf(kind, key), ...targets].some(isOfDraft);
    });
  }

  /** The edits of a draft of this view, as they are in one of now. */
  asOfNow(edits: readonly Edit[]): readonly Edit[] {
    const { revision, created } = this.#undone;
    const later = this.#config.created - created;
    const number = (entry: Entry): Entry =>
      entry.revision > revision
        ? { ...entry, revision: this.#config.revision + 1, created: entry.created > created ? entry.created + later : entry.created }
        : entry;
    return edits.map((edit) => (edit.after ? { ...edit, after: number(edit.after) } : edit));
  }

  /** To be told of every change, as soon as it is in force. */
  hide(edits: readonly Edit[]): void {
    const undoing = this.draft();
    // What was there at first counts.
    for (const edit of edits) if (!this.#undone.edits.has(nameOf(edit.kind, edit.key))) undoing.undo(edit);
    for (const edit of undoing.edits) this.#undone.edits.set(nameOf(edit.kind, edit.key), edit);
    this.#undone.touched.setAll(undoing.touched);
  }
}
