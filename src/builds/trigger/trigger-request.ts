// A run that a user or a timer has asked for: kept until it is scheduled or cannot be.
import type { ConfiguredVariable } from '../configured.ts';

export interface TriggerRequest {
  readonly kind: 'auto' | 'manual' | 'timer';
  /** For a timer: only when something has changed. */
  readonly onlyOnChanges: boolean;
  /** The user who asked for it, or `timer`. */
  readonly by: string;
  /** Secure ones are closed. */
  readonly variables: readonly ConfiguredVariable[];
  /** Revisions by the fingerprints of their materials. */
  readonly pinned: readonly (readonly [fingerprint: string, revision: string])[];
  /** Whether to poll the materials first. */
  readonly updatesMaterials: boolean;
}

/** As requests are stored; revisions of materials have an older name there. */
type StoredRequest = Omit<TriggerRequest, 'pinned'> & { readonly pegged: TriggerRequest['pinned'] };

export function requestText({ pinned: pegged, ...others }: TriggerRequest): string {
  return JSON.stringify({ ...others, pegged } satisfies StoredRequest);
}

export function readRequest(text: string): TriggerRequest {
  // Written by `requestText` alone.
  const { pegged: pinned, ...others } = JSON.parse(text) as StoredRequest;
  return { ...others, pinned };
}
