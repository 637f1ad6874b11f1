// Backup config: when the server backs itself up, the program that runs afterwards, and whether the administrator gets mail.

import { parseCron } from '../../kit/cron/parse.ts';
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../kit/text/control-characters.ts';
import { flag, optionalText } from '../../shape/fields.ts';
import { singletonMessages } from '../../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';

export const backupConfig = singleton({
  title: 'Backup config',
  label: 'Backup schedule',
  about: 'When the server backs itself up, what runs afterwards, and whether mail is sent.',
  path: '/api/config/backup',
  version: 1,
  permission: 'admin',
  doc: 'backup-config',
  links: ['doc', 'self'],
  verbs: ['POST', 'PUT', 'DELETE'],
  needsIfMatch: false,
  fields: {
    emailOnFailure: flag(false, {
      description: 'Send mail to the administrator when a backup fails. The address is in the configuration of the mail server.',
    }),
    emailOnSuccess: flag(false, { description: 'Send mail to the administrator when a backup succeeds.' }),
    postBackupScript: optionalText({ format: 'path', description: 'Path of a program to run after each backup.' }),
    schedule: optionalText({
      format: 'cron',
      description: 'Quartz cron expression, such as `0 0 2 * * ?` for every day at 02:00; none: no scheduled backups.',
    }),
  },
  unset: { emailOnFailure: false, emailOnSuccess: false, postBackupScript: null, schedule: null },
  rules: [
    ({ schedule }) => scheduleProblems(schedule ?? ''),
    ({ postBackupScript }) => problemUnless(!hasControlCharacter(postBackupScript ?? ''), 'post_backup_script', NO_CONTROL_CHARACTERS),
  ],
  messages: singletonMessages('Backup config'),
  example: {
    schedule: '0 30 2 ? * MON-FRI',
    post_backup_script: '/usr/local/bin/after-backup',
    email_on_failure: true,
    email_on_success: false,
  },
});

function scheduleProblems(schedule: string): Problem[] {
  if (schedule.trim() === '') return [];
  const parsed = parseCron(schedule);
  if (parsed.ok) return [];
  return [{ at: ['schedule'], message: `Invalid cron syntax for backup configuration at offset ${parsed.offset}: ${parsed.reason}` }];
}
