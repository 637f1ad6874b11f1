// How far a move has come: kept in a file, so that it goes on where it was killed.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory, writeFileDurably } from '../../kit/bytes/durable-file.ts';

export interface MoveState {
  /** The destination, in words: the state of one move says nothing of another. */
  readonly to: string;
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

export function begun(to: string): MoveState {
  return { to, phase: 'copy', job: 0, path: '', files: 0, bytes: 0, missing: [], damaged: [] };
}

/** undefined: no move to there was begun. */
export function readState(file: string, to: string): MoveState | undefined {
  if (!existsSync(file)) return undefined;
  const state = JSON.parse(readFileSync(file, 'utf8')) as MoveState;
  return state.to === to ? state : undefined;
}

export function writeState(file: string, state: MoveState): void {
  writeFileDurably(file, JSON.stringify(state), MODE);
}

export function removeState(file: string): void {
  rmSync(file, { force: true });
  syncDirectory(dirname(file));
}
