// Brings the tables to the form this version knows, step by step: all steps that are missing, or none.
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { foundation } from './migrations/001-foundation.ts';
import { notificationFilters } from './migrations/002-notification-filters.ts';
import { pipelinePauses } from './migrations/003-pipeline-pauses.ts';
import { placeInChangeLog } from './migrations/004-place-in-change-log.ts';
import { outbox } from './migrations/005-outbox.ts';
import { backups } from './migrations/006-backups.ts';
import { maintenance } from './migrations/007-maintenance.ts';
import { modifications } from './migrations/008-modifications.ts';
import { configRepos } from './migrations/009-config-repos.ts';
import { events } from './migrations/010-events.ts';
import { history } from './migrations/011-history.ts';
import { plans } from './migrations/012-plans.ts';
import { materialWishes } from './migrations/013-material-wishes.ts';
import { pipelinesByGroup } from './migrations/014-pipelines-by-group.ts';
import { membersByOwner } from './migrations/015-members-by-owner.ts';
import { shortTexts } from './migrations/016-short-texts.ts';
import { ownersOfChanges } from './migrations/017-owners-of-changes.ts';
import { leases } from './migrations/018-leases.ts';
import { builds } from './migrations/019-builds.ts';
import { artifacts } from './migrations/020-artifacts.ts';
import { jobsOfAgents } from './migrations/021-jobs-of-agents.ts';
import { dashboard } from './migrations/022-dashboard.ts';
import { runLinks } from './migrations/023-run-links.ts';
import { sessions } from './migrations/024-sessions.ts';
import { endedStages } from './migrations/025-ended-stages.ts';
import { scopedTokens } from './migrations/from-026/026-scoped-tokens.ts';
import { webLogins } from './migrations/from-026/027-web-logins.ts';
import { addedUsers } from './migrations/from-026/028-added-users.ts';
import { tokenLifetimes } from './migrations/from-026/029-token-lifetimes.ts';
import type { Tables } from './tables.ts';

export type Migration = (tables: Kysely<Tables>) => Promise<void>;

export const MIGRATIONS: readonly Migration[] = [
  foundation,
  notificationFilters,
  pipelinePauses,
  placeInChangeLog,
  outbox,
  backups,
  maintenance,
  modifications,
  configRepos,
  events,
  history,
  plans,
  materialWishes,
  pipelinesByGroup,
  membersByOwner,
  shortTexts,
  ownersOfChanges,
  leases,
  builds,
  artifacts,
  jobsOfAgents,
  dashboard,
  runLinks,
  sessions,
  endedStages,
  scopedTokens,
  webLogins,
  addedUsers,
  tokenLifetimes,
];
export const NEWEST_SCHEMA = MIGRATIONS.length;

/** The migration of a database of an older version. */
export interface MigrationResult {
  readonly from: number;
  readonly to: number;
  /** A copy of the database from before; undefined: there is none. */
  readonly copy: string | undefined;
}

/** Undefined: the tables were new, or had the newest form already. */
export async function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<MigrationResult | undefined> {
  let migrated: MigrationResult | undefined;
  await database.changeSchema(async (query) => {
    migrated = await takeSteps(query, migrations, database);
  });
  return migrated;
}

async function takeSteps(
  query: Kysely<Tables>,
  migrations: readonly Migration[],
  database: Database,
): Promise<MigrationResult | undefined> {
  await query.schema
    .createTable('schema_version')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  const found = await query.selectFrom('schema_version').select('version').executeTakeFirst();
  const version = found?.version ?? 0;
  if (version > migrations.length) {
    throw new Error(
      `The database has schema ${version}, and this version of Slipway knows schemas up to ${migrations.length}. Start the newer version that wrote it, or restore an older backup.`,
    );
  }
  if (version === migrations.length) return undefined;
  const copy = found === undefined ? undefined : await database.copyBeforeMigration(version);
  await query.transaction().execute(async (transaction) => {
    if (found === undefined && migrations === MIGRATIONS) await database.makeNewestTables(transaction);
    else for (const step of migrations.slice(version)) await step(transaction);
    await transaction.deleteFrom('schema_version').execute();
    await transaction.insertInto('schema_version').values({ version: migrations.length }).execute();
  });
  return found && { from: version, to: migrations.length, copy };
}
