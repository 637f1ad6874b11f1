// An entity that both the sender of a file and others have changed.
import type { Kind } from '../../shape/resource.ts';

export const MODIFIED = 'Configuration file has been modified by someone else.';

export interface Collision {
  readonly kind: Kind;
  readonly id: string;
  /** What others have done with the entity. */
  readonly byOthers: 'create' | 'change' | 'delete';
  /** What the file does with it. */
  readonly here: 'change' | 'delete';
}

export class SaveCollision extends Error {
  readonly collisions: readonly Collision[];

  constructor(collisions: readonly Collision[]) {
    super(MODIFIED);
    this.collisions = collisions;
  }
}
