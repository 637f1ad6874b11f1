// The obstacles to a revert.
import { type Kind, resourceName } from '../../shape/resource.ts';
import type { LoggedRevision } from '../../store/revisions/revision-log.ts';

/** About one entity, or about the configuration as a whole. */
export interface RevertObstacle {
  readonly resource: string | null;
  readonly id: string | null;
  readonly message: string;
  /** The revision that made it, and the author of that revision; null: no single revision did. */
  readonly revision: number | null;
  readonly actor: string | null;
}

export class CannotRevert extends Error {
  readonly obstacles: readonly RevertObstacle[];

  constructor(obstacles: readonly RevertObstacle[]) {
    super(obstacles.map(({ message }) => message).join(' '));
    this.obstacles = obstacles;
  }
}

export function obstacle(kind: Kind, id: string, message: string, by?: Pick<LoggedRevision, 'revision' | 'actor'>): RevertObstacle {
  return { resource: resourceName(kind), id, message, revision: by?.revision ?? null, actor: by?.actor ?? null };
}
