// Backups without a server around them: a data directory with a database, and everything else as a test wants it.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import { Backups } from '../../../src/backup/backups.ts';
import type { RunJob } from '../../../src/backup/jobs/run-job.ts';
import type { BackupSettings } from '../../../src/backup/parts.ts';
import type { BackupRecord, Via } from '../../../src/backup/record.ts';
import { HealthMessages } from '../../../src/health/messages.ts';
import type { Database } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import type { PostgresAddress } from '../../../src/store/postgres/connection.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';

const PLAIN: BackupSettings = {
  emailOnSuccess: true,
  emailOnFailure: true,
  schedule: null,
  postBackupScript: null,
  scriptLimitMs: 60_000,
  retention: { keepLast: null, keepDays: null },
  bucket: undefined,
};

export class BackupsAlone {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'slipway-backups-'));
  readonly health = new HealthMessages();
  /** Mails to administrators. */
  readonly mails: string[] = [];
  readonly logged: string[] = [];
  settings: BackupSettings = PLAIN;
  /** The key of the secrets, if not that of the data directory. */
  cipherKeyFile: string | undefined;
  /** The database to back up, if not its own. */
  source: PostgresAddress | undefined;
  #database: Database | undefined;
  #backups: Backups | undefined;

  static async open(settings: Partial<BackupSettings> = {}): Promise<BackupsAlone> {
    const alone = new BackupsAlone();
    alone.settings = { ...PLAIN, ...settings };
    writeFileSync(join(alone.dataDir, 'cipher.key'), `${randomBytes(32).toString('hex')}\n`);
    mkdirSync(join(alone.dataDir, 'artifacts'));
    await alone.start();
    return alone;
  }

  async start(run?: RunJob): Promise<void> {
    const database = openSqlite(join(this.dataDir, 'slipway.db'));
    await migrate(database);
    this.#database = database;
    const report = (text: string) => {
      this.mails.push(text);
      return [database.query.selectFrom('users').select('key').compile()] as CompiledQuery[];
    };
    this.#backups = new Backups(
      {
        database,
        dataDir: this.dataDir,
        artifactsDir: join(this.dataDir, 'artifacts'),
        cipherKeyFile: this.cipherKeyFile,
        version: '23.2.0 (test)',
        ...(this.source && { source: this.source }),
        settings: () => this.settings,
        recordHistory: async () => {},
        mails: {
          completed: ({ folder, by }) => report(`completed ${folder} by ${by}`),
          failed: ({ reason }) => report(`failed: ${reason}`),
          wake: () => {},
        },
        health: this.health,
        log: { info: (...line) => this.#note(line), warn: (...line) => this.#note(line), error: (...line) => this.#note(line) },
      },
      run,
    );
    await this.#backups.start();
  }

  get backups(): Backups {
    return this.#backups!;
  }

  get database(): Database {
    return this.#database!;
  }

  get folder(): string {
    return join(this.dataDir, 'artifacts', 'serverBackups');
  }

  async make(via: Via = 'USER'): Promise<BackupRecord> {
    const { id } = await this.backups.request(via === 'TIMER' ? 'timer' : 'ada', via);
    return this.end(id);
  }

  async end(id: number): Promise<BackupRecord> {
    for (;;) {
      const record = await this.backups.find(id);
      if (record?.status !== 'IN_PROGRESS') return record!;
      await delay(10);
    }
  }

  /** Ends the work as a stop of the server does. */
  async halt(): Promise<void> {
    await this.backups.stop();
    await this.database.close();
  }

  async close(): Promise<void> {
    await this.halt();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  #note(line: readonly unknown[]): void {
    this.logged.push(JSON.stringify(line));
  }
}
