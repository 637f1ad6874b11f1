// The test files that a whole run with TEST_DATABASE=both runs a second time, on PostgreSQL.

/**
 * Something of everything that is kept in the database: SQL that one engine does not know, numbers that come as texts, and rows in an
 * order that the query does not specify show themselves here. With TEST_DATABASE=postgres all tests run there.
 */
export const ON_POSTGRES: readonly string[] = [
  // Configuration: written, read, refused, changed together, and as it was at any time.
  'test/api/pipelines/environments.test.ts',
  'test/api/access/service-accounts.test.ts',
  'test/api/configuration/conflicts.test.ts',
  'test/api/configuration/batch.test.ts',
  'test/api/configuration/plan.test.ts',
  'test/config/change-log.test.ts',
  'test/history/at.test.ts',
  'test/history/revisions.test.ts',
  // Users, and their data.
  'test/api/operations/notification-filters.test.ts',
  'test/api/access/users.test.ts',
  'test/access/session-table.test.ts',
  'test/access/web-logins/openid-connect.test.ts',
  // Background work of the server.
  'test/api/operations/maintenance.test.ts',
  'test/events/event-log.test.ts',
  // Builds.
  'test/agents/registration.test.ts',
  'test/builds/engine/triggers.test.ts',
  'test/builds/engine/stages.test.ts',
  'test/builds/engine/jobs.test.ts',
  'test/builds/dashboard.test.ts',
  'test/builds/feeds.test.ts',
  'test/stories/build-kill.test.ts',
];
