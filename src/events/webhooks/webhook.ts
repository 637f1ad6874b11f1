// An outgoing webhook as the configuration has it, opened.
import type { EventFilter } from '../event-filter.ts';

export interface Webhook {
  /** Its key in the configuration. */
  readonly key: string;
  readonly id: string;
  readonly url: string;
  /** Signs deliveries; undefined: it cannot be decrypted, because the server has another key. */
  readonly secret: string | undefined;
  readonly filter: EventFilter;
}
