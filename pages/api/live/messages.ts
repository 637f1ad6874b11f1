// The messages between the pages and the worker that holds the connection.

export const NOTICE_KINDS = ['pipeline', 'stage', 'job', 'agent', 'material', 'health', 'maintenance', 'config'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A notice of a change: the kind of the changed thing, and its name. */
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

/** `live`: notified of changes at once. `connecting`: an attempt has failed, or the connection is lost. `signed-out`: not until the user signs in. */
export type ConnectionState = 'connecting' | 'live' | 'signed-out';

export type FromWorker =
  | { readonly type: 'state'; readonly state: ConnectionState }
  | { readonly type: 'notices'; readonly notices: readonly Notice[] }
  /** Notices may have been missed: all shown data have to be read again. */
  | { readonly type: 'reload' };

export type ToWorker =
  /** `session` distinguishes the sessions of this browser: the connection of one must not serve the pages of the next. */
  { readonly type: 'open'; readonly address: string; readonly session: string } | { readonly type: 'close' };
