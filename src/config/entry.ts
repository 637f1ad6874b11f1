// One entity of the configuration with its ETag, revision and place; never changed, only replaced.
import type { Entity } from '../shape/resource.ts';

export interface Entry<E extends Entity = Entity> {
  readonly key: string;
  readonly value: E;
  readonly etag: string;
  readonly revision: number;
  /** The position of the entity in its kind: lists are in the order of creation. */
  readonly created: number;
}
