// What the routes of every resource work with.
import type { Access } from '../access/may.ts';
import type { Changes } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import type { Past } from '../history/past.ts';
import type { ReadingTools } from '../shape/entity-json.ts';
import type { Problem } from '../shape/problem.ts';
import type { Entity, Kind } from '../shape/resource.ts';
import type { RevisionLog } from '../store/revision-log.ts';
import type { Renderer } from './renderer.ts';

export interface ResourceParts {
  readonly access: Access;
  readonly config: Config;
  readonly changes: Changes;
  readonly renderer: Renderer;
  /** The configuration as it was. */
  readonly past: Past;
  /** Who has changed an entity, and how. */
  readonly changeLog: Pick<RevisionLog, 'changesOf' | 'find' | 'shown'>;
  readonly tools: ReadingTools;
  /** What the plugin behind an entity says of its settings. */
  readonly opinionsOf: (
    plugin: NonNullable<Kind['plugin']>,
    entity: Entity,
    seen: unknown,
  ) => readonly Problem[] | Promise<readonly Problem[]>;
}
