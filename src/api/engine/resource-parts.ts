// The dependencies of the routes of every resource.
import type { Access } from '../../access/may.ts';
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import type { ReadingParts } from '../../document/save/read-wanted.ts';
import type { Past } from '../../history/past.ts';
import type { RevisionLog } from '../../store/revisions/revision-log.ts';
import type { Renderer } from './renderer.ts';

export interface ResourceParts extends ReadingParts {
  readonly access: Access;
  readonly config: Config;
  readonly changes: Changes;
  readonly renderer: Renderer;
  /** The configuration as it was. */
  readonly past: Past;
  /** The changes of entities, with their authors. */
  readonly changeLog: Pick<RevisionLog, 'changesOf' | 'find' | 'shown'>;
}
