// Joins backups to the server: their configuration, their schedule, their mails.
import { setTimeout as delay } from 'node:timers/promises';
import { Backups } from '../../backup/backups.ts';
import type { BackupMails, BackupSettings } from '../../backup/parts.ts';
import type { BackupRecord } from '../../backup/record.ts';
import { type ScheduleParts, scheduleBackups } from '../../backup/schedule.ts';
import { watchScript } from '../../backup/script/watch-script.ts';
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import type { HealthMessages } from '../../health/messages.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { AddedJob, PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import type { AdminMails } from '../../mail/admin-mails.ts';
import { backupCompletedMail, backupFailedMail } from '../../mail/admin-texts.ts';
import { backupConfig } from '../../resources/server/backup-config.ts';
import { backupExtensions } from '../../resources/server/backup-extensions.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import type { Database } from '../../store/database.ts';
import type { Settings } from '../settings.ts';

interface Parts {
  readonly dataDir: string;
  readonly artifactsDir: string;
  readonly database: Database;
  /** Where the database and the key are; undefined: in the data directory. */
  readonly locations: Pick<Settings, 'database' | 'cipherKeyFile'>;
  readonly config: Config;
  readonly changes: Changes;
  readonly cipher: Cipher;
  readonly runner: PeriodicRunner;
  readonly health: HealthMessages;
  readonly log: Log;
  /** The text that names this server's version. */
  readonly version: string;
  readonly mails: BackupMails;
  onStarted(record: BackupRecord): void;
  onEnded(record: BackupRecord): void;
  /** Returns when the history of the configuration is up to date. */
  historyUpToDate(): Promise<void>;
}

const COPY_AGAIN_EVERY_MS = 10 * 60_000;
const COPY_FIRST_AFTER_MS = 1000;
const MAX_WAIT_FOR_HISTORY_MS = 10_000;
const MINUTE_MS = 60_000;

export interface OpenBackups {
  readonly backups: Backups;
  /** Makes backups from now on: when they are due, and on request. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function openBackups({ dataDir, config, changes, cipher, runner, version, historyUpToDate, ...parts }: Parts): OpenBackups {
  const { health, locations } = parts;
  const { cipherKeyFile, database: source } = locations;
  const settings = () => settingsIn(config, cipher);
  // Revisions that it does not have yet are in the database, so the backup does not wait for it for ever.
  const recordHistory = () =>
    Promise.race([historyUpToDate(), delay(MAX_WAIT_FOR_HISTORY_MS, undefined, { ref: false })]).catch((failure: unknown) =>
      parts.log.warn({ err: failure }, 'the backup takes the history of the configuration as it is'),
    );
  const backups = new Backups({ ...parts, dataDir, cipherKeyFile, source, version, settings, recordHistory });
  let jobs: readonly AddedJob[] = [];
  const checkScript = watchScript({
    runner,
    health,
    script: () => settings().postBackupScript?.trim() || undefined,
    problemWith: (path) => backups.problemWithScript(path),
  });
  changes.listen(({ edits }) => {
    if (!edits.some(({ kind }) => kind.name === 'backupConfig')) return;
    for (const job of jobs) job.refresh();
    checkScript();
  });
  return {
    backups,
    start: async () => {
      await backups.start();
      jobs = jobsOf(backups, { runner, health, schedule: () => settings().schedule });
    },
    stop: async () => {
      // No backup begins any more, and a wait of a running one is cut off.
      const removed = jobs.map((job) => job.remove());
      jobs = [];
      await backups.stop();
      await Promise.all(removed);
    },
  };
}

function jobsOf(backups: Backups, parts: Pick<ScheduleParts, 'runner' | 'health' | 'schedule'>): AddedJob[] {
  return [
    scheduleBackups({
      ...parts,
      // One may wait for the one before it; more would only grow when backups take longer than the time between them.
      makeBackup: async (user, via) => (backups.hasWaiting ? undefined : backups.request(user, via)),
    }),
    parts.runner.add({
      name: 'copies of backups',
      when: { every: COPY_AGAIN_EVERY_MS, firstAfter: COPY_FIRST_AFTER_MS },
      runsWhilePaused: true,
      run: () => backups.copyAgain(),
    }),
  ];
}

export function backupMails(mails: Pick<AdminMails, 'statementsFor' | 'wake'>, ip: () => string): BackupMails {
  return {
    completed: (facts) => mails.statementsFor(backupCompletedMail({ ip: ip(), ...facts })),
    failed: (facts) => mails.statementsFor(backupFailedMail({ ip: ip(), ...facts })),
    wake: () => mails.wake(),
  };
}

function settingsIn(config: Config, cipher: Cipher): BackupSettings {
  const { emailOnFailure, emailOnSuccess, postBackupScript, schedule } = settingOf(config, 'backupConfig', backupConfig);
  const { retention, copy, scriptTimeout } = settingOf(config, 'backupExtensions', backupExtensions);
  const { endpoint, bucket: name, prefix, region, accessKeyId, secretAccessKey } = copy;
  const bucket = endpoint?.trim() &&
    name && {
      endpoint: endpoint.trim(),
      name,
      prefix: prefix ?? '',
      region: region?.trim() || 'us-east-1',
      accessKeyId: accessKeyId ?? '',
      secretAccessKey: (secretAccessKey && cipher.decrypt(secretAccessKey.cipherText)) ?? '',
    };
  return {
    emailOnFailure,
    emailOnSuccess,
    postBackupScript,
    schedule,
    retention,
    scriptLimitMs: scriptTimeout * MINUTE_MS,
    bucket: bucket || undefined,
  };
}

/** The stored setting, or its default. */
function settingOf<K extends KindName>(config: Config, name: K, { unset }: { readonly unset?: EntityNamed<K> }): EntityNamed<K> {
  return entityOf(config, name) ?? unset!;
}

function entityOf<K extends KindName>(config: Config, name: K): EntityNamed<K> | undefined {
  return config.kinds.has(name) ? config.of(name).find('')?.value : undefined;
}
