// The command that makes a backup through a server that runs, and waits for its end.
import { setTimeout as pause } from 'node:timers/promises';
import { acceptedBy, CONFIRMED, fetchJson } from '../terminal/ask-server.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import { type Context, painter } from '../terminal/context.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { Progress } from '../terminal/progress.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../terminal/target.ts';
import { type Backup, backupText, phaseText } from './backup-text.ts';

const BACKUPS = '/api/backups';
const POLL_MS = 500;
const COMPLETED = 0;
const FAILED = 1;

interface BackupValues extends ServerValues {
  readonly 'no-wait': boolean;
  readonly json: boolean;
}

export async function runBackup({ values }: ParsedArguments<BackupValues>, context: Context): Promise<number> {
  const { out, err } = context;
  const server = serverOf(values, context);
  const { headers } = await acceptedBy(server, BACKUPS, CONFIRMED);
  const id = /\/(\d+)$/.exec(headers.get('location') ?? '')?.[1];
  if (id === undefined) throw new CommandFailed(`${server.url} does not say where the backup is.`);
  const path = `${BACKUPS}/${id}`;
  const backup = values['no-wait'] ? await fetchJson<Backup>(server, path) : await endOf(server, path, new Progress(err));
  if (values.json) out.write(`${JSON.stringify(backup, undefined, 2)}\n`);
  else (isFailed(backup) ? err : out).write(backupText(backup, painter(context, isFailed(backup) ? err : out)));
  return isFailed(backup) ? FAILED : COMPLETED;
}

async function endOf(server: RemoteServer, path: string, progress: Progress): Promise<Backup> {
  try {
    for (;;) {
      const backup = await fetchJson<Backup>(server, path);
      if (backup.status !== 'IN_PROGRESS') return backup;
      const { step, details, done, all } = phaseText(backup);
      progress.show(step, details, done, all);
      await pause(POLL_MS);
    }
  } finally {
    progress.end();
  }
}

function isFailed({ status }: Backup): boolean {
  return status !== 'COMPLETED' && status !== 'IN_PROGRESS';
}
