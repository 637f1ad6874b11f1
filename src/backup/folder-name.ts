// The names of the folders that backups are made in.
import { join } from 'node:path';

const FOLDER = 'serverBackups';
/** An incomplete folder has a name that cannot be taken for that of a backup. */
const PARTIAL = /^\.backup_.*\.(?:partial|scratch)$/;
const WHOLE = /^backup_\d{8}-\d{6}(?:-\d+)?$/;

export function backupsFolder(artifactsDir: string): string {
  return join(artifactsDir, FOLDER);
}

/** By the clock on the wall of the server. Of two in one second the second gets a number. */
export function folderName(time: Date, isTaken: (name: string) => boolean): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}`;
  const base = `backup_${date}-${two(time.getHours())}${two(time.getMinutes())}${two(time.getSeconds())}`;
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!isTaken(name)) return name;
  }
}

export const partialName = (name: string): string => `.${name}.partial`;
export const scratchName = (name: string): string => `.${name}.scratch`;

/** Whether this is left over from a backup that did not end. */
export function isLeftover(name: string): boolean {
  return PARTIAL.test(name);
}

export function isBackupName(name: string): boolean {
  return WHOLE.test(name);
}
