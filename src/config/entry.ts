// One entity of the configuration with what is known of it; never changed, only replaced.
import type { Entity } from '../shape/resource.ts';

export interface Entry {
  readonly key: string;
  readonly value: Entity;
  readonly etag: string;
  readonly revision: number;
  /** Its place among its kind: lists are in the order of creation. */
  readonly created: number;
}
