// Backups as the API gives them, and the texts about them.
import type { AnswerOf, ListItem } from '../api/answers.ts';
import { COMMAND, START } from '../kit/own-commands.ts';
import { shellQuote } from '../kit/text/text.ts';

export type BackupList = AnswerOf<'GET /api/backups'>;
export type Backup = ListItem<'GET /api/backups', 'backups'>;
export type Phase = Backup['phases'][number];

export const BACKUPS_ADDRESS = '/api/backups';
export const BACKUPS_VERSION = 2;

export function isUnderWay({ status }: Backup): boolean {
  return status === 'IN_PROGRESS';
}

/** Whether there is a folder that can be restored. */
export function hasFolder({ status, bytes, removed_at }: Backup): boolean {
  return status !== 'IN_PROGRESS' && bytes !== null && removed_at === null;
}

/** How far a phase is, in percent; undefined: the total is unknown. */
export function percentOf({ bytes, total_bytes: total }: Pick<Phase, 'bytes' | 'total_bytes'>): number | undefined {
  return total > 0 ? Math.min(100, Math.floor((100 * bytes) / total)) : undefined;
}

/** How long the work itself took: the times of a backup have no fractions of seconds, and it may have waited for another backup. */
export function tookMs({ phases }: Backup): number {
  return 1000 * phases.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** In a word, with the icon that fits it. */
export function outcomeOf({ status, verified, removed_at }: Backup): {
  readonly word: string;
  readonly icon: 'passed' | 'failed' | 'building' | 'cancelled' | 'unknown';
} {
  if (status === 'IN_PROGRESS') return { word: 'under way', icon: 'building' };
  if (status === 'ERROR') return { word: 'failed', icon: 'failed' };
  if (status === 'ABORTED') return { word: 'aborted', icon: 'cancelled' };
  if (removed_at !== null) return { word: 'removed', icon: 'unknown' };
  if (verified === true) return { word: 'verified', icon: 'passed' };
  return { word: 'not verified', icon: 'cancelled' };
}

/** The commands for the machine that has the folder: a check that changes nothing, the restore, the start. */
export function restoreCommand({ path }: Pick<Backup, 'path'>): string {
  const restore = `${COMMAND} restore ${shellQuote(path)} --data-dir ./data`;
  return ['# Checks every byte, changes nothing:', `${restore} --plan`, '', restore, `${START} --data-dir ./data`].join('\n');
}
