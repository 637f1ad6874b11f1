// The services that backups need of the rest of the server.
import type { CompiledQuery } from 'kysely';
import type { HealthMessages } from '../health/messages.ts';
import type { Log } from '../kit/log.ts';
import type { Database } from '../store/database.ts';
import type { PostgresAddress } from '../store/postgres/connection.ts';
import type { Bucket } from './copy/bucket.ts';
import type { BackupRecord } from './record.ts';
import type { RetentionRule } from './retention.ts';

/** The current settings of the administrator. */
export interface BackupSettings {
  readonly emailOnSuccess: boolean;
  readonly emailOnFailure: boolean;
  /** null or blank: none. */
  readonly schedule: string | null;
  readonly postBackupScript: string | null;
  readonly scriptLimitMs: number;
  readonly retention: RetentionRule;
  /** Where copies go; undefined: nowhere. */
  readonly bucket: Bucket | undefined;
}

/** Mails to the administrator, as statements for the commit that ends a record: there is neither without the other. */
export interface BackupMails {
  completed(facts: { readonly folder: string; readonly by: string }): readonly CompiledQuery[];
  failed(facts: { readonly reason: string }): readonly CompiledQuery[];
  /** To be called when the statements are on disk. */
  wake(): void;
}

export interface BackupParts {
  readonly database: Database;
  readonly dataDir: string;
  /** The folder of artifacts as it was when the server started. */
  readonly artifactsDir: string;
  /** Where the key is; undefined: in the data directory. */
  readonly cipherKeyFile?: string | undefined;
  /** Where the database is; undefined: in the data directory. */
  readonly source?: PostgresAddress | undefined;
  /** The text that names this server's version. */
  readonly version: string;
  readonly settings: () => BackupSettings;
  /** Brings the history of the configuration up to date, as far as that can be done soon. */
  readonly recordHistory: () => Promise<void>;
  readonly mails: BackupMails;
  onStarted?(record: BackupRecord): void;
  /** Also when it could not be made, or was cut off. */
  onEnded?(record: BackupRecord): void;
  readonly health: HealthMessages;
  readonly log: Log;
}
