// What the worker that holds the connection and the pages say to each other.

export const NOTICE_KINDS = ['pipeline', 'stage', 'job', 'agent', 'material', 'health', 'maintenance', 'config'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Something changed: its kind, and what names it. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly name?: string;
  readonly pipeline?: string;
  readonly counter?: number;
  readonly stage?: string;
  readonly stage_counter?: number;
  readonly job?: string;
  readonly uuid?: string;
  readonly fingerprint?: string;
  /** Of maintenance mode. */
  readonly enabled?: boolean;
}

/** `live`: told of changes at once. `connecting`: not at the moment. `signed-out`: not until the user signs in. */
export type ConnectionState = 'connecting' | 'live' | 'signed-out';

export type FromWorker =
  | { readonly type: 'state'; readonly state: ConnectionState }
  | { readonly type: 'notices'; readonly notices: readonly Notice[] }
  /** What happened in between is not known: everything shown has to be read again. */
  | { readonly type: 'reload' };

export type ToWorker = { readonly type: 'open'; readonly address: string } | { readonly type: 'close' };
