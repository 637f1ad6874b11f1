// Changes that are decided and checked, but not yet on disk: later changes are checked as if they were.
import type { Config } from './current.ts';
import type { Edit } from './edit.ts';
import { nameOf } from './references.ts';
import { TouchedReferences } from './touched-references.ts';

/** The state of a checked draft that later drafts build on. */
interface DecidedEdits extends Pick<PendingEdits, 'touched' | 'revision' | 'lastCreated'> {
  readonly edits: Iterable<Edit>;
}

export class PendingEdits {
  readonly edits = new Map<string, Edit>();
  readonly touched = new TouchedReferences();
  revision: number;
  lastCreated: number;

  constructor(config: Config) {
    this.revision = config.revision;
    this.lastCreated = config.lastCreated;
  }

  /** Takes over other pending edits. */
  take({ edits, touched, revision, lastCreated }: PendingEdits): void {
    for (const [name, edit] of edits) this.edits.set(name, edit);
    this.touched.setAll(touched);
    this.revision = revision;
    this.lastCreated = lastCreated;
  }

  add(draft: DecidedEdits): void {
    for (const edit of draft.edits) this.edits.set(nameOf(edit.kind, edit.key), edit);
    this.touched.setAll(draft.touched);
    this.revision = draft.revision;
    this.lastCreated = draft.lastCreated;
  }
}
