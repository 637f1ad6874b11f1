// Every entity as it is now, beside the last that the change log says of it.
import type { ChangeRow, EntityRow } from '../rows/configuration.ts';

export type LastLogged = Readonly<Pick<ChangeRow, 'revision' | 'operation' | 'after' | 'created'>>;
export type StoredEntity = Readonly<Pick<EntityRow, 'revision' | 'etag' | 'value' | 'created'>>;

export interface StateRow extends Readonly<Pick<EntityRow, 'kind' | 'key'>> {
  /** Undefined: it was never logged. */
  readonly logged: LastLogged | undefined;
  /** Undefined: it is not there. */
  readonly stored: StoredEntity | undefined;
}
