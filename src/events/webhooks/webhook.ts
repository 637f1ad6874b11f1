// An outgoing webhook as the configuration has it, opened.
import type { EventFilter } from '../event-filter.ts';

export interface Webhook {
  /** Its key in the configuration. */
  readonly key: string;
  readonly id: string;
  readonly url: string;
  /** What deliveries are signed with; undefined: it cannot be opened, for the key of the server is another one. */
  readonly secret: string | undefined;
  readonly filter: EventFilter;
}
