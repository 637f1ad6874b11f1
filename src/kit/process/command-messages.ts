// The messages between the server and the process that runs its programs.
import type { CommandEnd, StopReason } from './command-failure.ts';
import type { ProcessOptions } from './command-process.ts';

interface About {
  /** Of the command. */
  readonly id: number;
}

export type ToLauncher = About &
  (
    | { readonly kind: 'start'; readonly program: string; readonly args: readonly string[]; readonly options: ProcessOptions }
    /** The number of further pieces of the output that have been taken. */
    | { readonly kind: 'taken'; readonly count: number }
    | { readonly kind: 'stop'; readonly reason: StopReason }
  );

export type FromLauncher = About &
  (
    | { readonly kind: 'output'; readonly chunk: Uint8Array }
    /** It has printed something that is not part of its output. */
    | { readonly kind: 'activity' }
    /** After all of the output but the last piece, which may come with it. */
    | { readonly kind: 'end'; readonly end: CommandEnd; readonly chunk?: Uint8Array }
  );
