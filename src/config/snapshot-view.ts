// The configuration as it was when a change began to be tried out, while other changes go on.

import type { Config } from './current.ts';
import { Draft } from './draft.ts';
import type { Edit } from './edit.ts';
import type { Entry } from './entry.ts';
import { PendingEdits } from './pending-edits.ts';
import { nameOf } from './references.ts';

export class SnapshotView {
  readonly #config: Config;
  /** Edits that undo all changes made since. */
  readonly #undone: PendingEdits;

  constructor(config: Config) {
    this.#config = config;
    this.#undone = new PendingEdits(config);
  }

  /** A draft that does not see later changes. */
  draft(): Draft {
    return new Draft(this.#config, this.#undone);
  }

  /** Whether nothing has changed since. */
  get isCurrent(): boolean {
    return this.#undone.edits.size === 0;
  }

  /**
   * A draft on the present configuration with the edits of a draft of this view, to be checked once more. undefined: changes made since
   * touch the same entities or their references, so the edits might be others now. An edit of the same kind counts as such a change.
   */
  rebased(draft: Draft): Draft | undefined {
    if (!this.#isIndependentOf(draft)) return undefined;
    const moved = new Draft(this.#config);
    moved.publisher = draft.publisher;
    for (const edit of draft.edits) moved.adopt(edit.after ? { ...edit, after: this.#numbered(edit.after) } : edit);
    return moved;
  }

  #isIndependentOf(draft: Draft): boolean {
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

  /** As if it had been made now. */
  #numbered(entry: Entry): Entry {
    const { revision, lastCreated } = this.#undone;
    if (entry.revision <= revision) return entry;
    const later = entry.created > lastCreated ? this.#config.lastCreated - lastCreated : 0;
    return { ...entry, revision: this.#config.revision + 1, created: entry.created + later };
  }

  /** To be called with every change, as soon as it is in force. */
  hide(edits: readonly Edit[]): void {
    const undoing = this.draft();
    // Only the first change of an entity counts: it has the entry of the snapshot.
    for (const edit of edits) if (!this.#undone.edits.has(nameOf(edit.kind, edit.key))) undoing.undo(edit);
    for (const edit of undoing.edits) this.#undone.edits.set(nameOf(edit.kind, edit.key), edit);
    this.#undone.touched.setAll(undoing.touched);
  }
}
