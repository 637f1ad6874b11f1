// How far a move has come: kept in a file, so that it goes on where it was killed.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory, writeFileDurably } from '../../kit/bytes/durable-file.ts';

export interface MoveState {
  /** Distinguishes this move from others: after a move from elsewhere, or with other files, nothing of this one is known to be done. */
  readonly move: string;
  readonly phase: 'copy' | 'remove';
  /** All up to this artifact is done. */
  readonly job: number;
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** Files that are in neither storage. */
  readonly missing: readonly string[];
  /** Files with other content than the published one. */
  readonly damaged: readonly string[];
}

const MODE = 0o600;

export function begun(move: string): MoveState {
  return { move, phase: 'copy', job: 0, path: '', files: 0, bytes: 0, missing: [], damaged: [] };
}

/** undefined: no such move was begun. */
export function readState(file: string, move: string): MoveState | undefined {
  if (!existsSync(file)) return undefined;
  const state = JSON.parse(readFileSync(file, 'utf8')) as MoveState;
  return state.move === move ? state : undefined;
}

export function writeState(file: string, state: MoveState): void {
  writeFileDurably(file, JSON.stringify(state), MODE);
}

export function removeState(file: string): void {
  rmSync(file, { force: true });
  syncDirectory(dirname(file));
}
