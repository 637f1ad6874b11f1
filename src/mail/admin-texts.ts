// The mails to administrators, word for word.
import type { DiskFacts, DiskUse } from '../health/disk/level.ts';
import { page, paragraph, type Tone } from './html.ts';
import type { MailContent } from './mail.ts';

export interface DiskMailFacts extends DiskFacts {
  readonly ip: string;
}

const CLEAN_UP = 'The artifacts config (artifact_config in the documentation of the API) says when old artifacts are deleted.';

export function diskLowMail({ use, folder, warningMb, fullMb, ip }: DiskMailFacts): MailContent {
  return written(`Low ${use} disk space warning message from Slipway Server at ${ip}`, 'bad', [
    sentBy(ip),
    `This server has less than ${warningMb}MB of disk space available at ${folder} to store ${storedIn(use)}. When the available space goes below ${fullMb}MB, Slipway will stop scheduling. Please ensure enough space is available.${pointer(use)}`,
  ]);
}

export function diskFullMail({ use, folder, fullMb, ip }: DiskMailFacts): MailContent {
  return written(`No ${use} disk space error message from Slipway Server at ${ip}`, 'bad', [
    sentBy(ip),
    `This server has stopped scheduling because it has less than ${fullMb}MB of disk space available at ${folder} to store ${storedIn(use)}. Please ensure enough space is available.${pointer(use)}`,
  ]);
}

export function backupCompletedMail({
  ip,
  folder,
  by,
}: {
  readonly ip: string;
  readonly folder: string;
  readonly by: string;
}): MailContent {
  return written('Server Backup Completed Successfully', 'good', [
    `Backup of the Slipway server at '${ip}' was successfully completed. The backup is stored at location: ${folder}. This backup was triggered by '${by}'.`,
  ]);
}

export function backupFailedMail({ ip, reason }: { readonly ip: string; readonly reason: string }): MailContent {
  return written('Server Backup Failed', 'bad', [`Backup of the Slipway server at '${ip}' has failed. The reason is: ${reason}`]);
}

export interface MaintenanceFacts {
  readonly ip: string;
  /** The user who had switched it on, and the time. */
  readonly by: string;
  readonly since: string;
  readonly reason: string | null;
}

export function maintenanceEndedMail({ ip, by, since, reason }: MaintenanceFacts): MailContent {
  const why = reason?.trim() ? ` The reason given was: ${reason.trim()}` : '';
  return written(`Maintenance mode ended by itself on Slipway Server at ${ip}`, 'neutral', [
    sentBy(ip),
    `The maintenance mode that '${by}' switched on at ${since} has reached its end time, and the server has switched it off.${why}`,
    'Polling and scheduling go on, and changes are accepted again.',
  ]);
}

function sentBy(ip: string): string {
  return `The email has been sent out automatically by the Slipway server at (${ip}) to Slipway administrators.`;
}

function storedIn(use: DiskUse): string {
  return use === 'artifacts' ? 'artifacts' : 'data';
}

function pointer(use: DiskUse): string {
  return use === 'artifacts' ? ` ${CLEAN_UP}` : '';
}

function written(subject: string, tone: Tone, paragraphs: readonly string[]): MailContent {
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: page(subject, tone, paragraphs.map(paragraph)) };
}
