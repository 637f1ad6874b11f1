// Runs `slipway restore` in the process of a test, because a process for each of dozens of backups would take longer than their restore.
import { slipway } from '../support/server/command-line.ts';

export async function restore(folder: string, dataDir: string, ...flags: readonly string[]) {
  const { status, out: stdout, err: stderr } = await slipway(['restore', folder, '--data-dir', dataDir, ...flags]);
  return { status, stdout, stderr };
}
