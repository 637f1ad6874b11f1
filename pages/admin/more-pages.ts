// Pages for system administrators that are more than a form.
import { pageOf } from '../kit/page-addresses.ts';
import type { OverviewEntry } from './overview-groups.ts';

export const MORE_PAGES: readonly OverviewEntry[] = [
  { title: 'About this server', about: 'Its version, its licences, and a support bundle to download.', href: pageOf.about() },
  { title: 'Access tokens of all users', about: 'Who has tokens, when they were used last, and revoking them.', href: pageOf.allTokens() },
  { title: 'Backups', about: 'Start one, see whether they can be trusted, and how to restore one.', href: pageOf.backup() },
  { title: 'Changes', about: 'Who changed the configuration, when and why.', href: pageOf.changes() },
  { title: 'Configuration as XML', about: 'The whole configuration as one file, to read, to edit and to clone.', href: pageOf.configXml() },
  { title: 'Events', about: 'What happened on this server, as it happens.', href: pageOf.events() },
  { title: 'Health', about: 'What is wrong with the server.', href: pageOf.health() },
  { title: 'Maintenance mode', about: 'Stops new work, so that the server can be looked after.', href: pageOf.maintenance() },
  { title: 'Plan changes', about: 'What a file with the desired state would change, before it is applied.', href: pageOf.plan() },
  { title: 'Replicas', about: 'The servers that share this database.', href: pageOf.replicas() },
  { title: 'Service accounts', about: 'Users for programs, and their access tokens.', href: pageOf.serviceAccounts() },
  { title: 'Sessions of all users', about: 'Who is signed in, from where and through what, and ending that.', href: pageOf.allSessions() },
  { title: 'Users', about: 'Who is known here, who may sign in, and who is an administrator.', href: pageOf.users() },
];
