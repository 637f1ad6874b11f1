// The chapters of the documentation: one for each resource, and those of the other endpoints.
import type { Kind } from '../../shape/resource.ts';
import type { Route } from '../engine/route.ts';

export interface Chapter {
  readonly anchor: string;
  readonly title: string;
  readonly about: string;
}

const OTHER_CHAPTERS: readonly Chapter[] = [
  {
    anchor: 'config-xml',
    title: 'Configuration document',
    about: 'The whole configuration as one XML document: as it is, as it was, saved after an edit, imported from another server.',
  },
  {
    anchor: 'config-repository',
    title: 'Configuration repository',
    about: 'The history of the configuration as a git repository, which can be cloned and fetched.',
  },
  {
    anchor: 'history',
    title: 'History',
    about:
      'Every change of the configuration: who made it, when, why, and what was different before. Any `GET` of configuration shows an earlier state with `?at=`.',
  },
  {
    anchor: 'plans',
    title: 'Plans and batches',
    about: 'Many changes of the configuration as one revision: at once, or looked at first and applied later, exactly as they were shown.',
  },
  {
    anchor: 'runs',
    title: 'Runs',
    about: 'Pipelines at work: trigger, pause and unlock them, see their runs, and why one does or does not run.',
  },
  {
    anchor: 'dashboard',
    title: 'Dashboard',
    about: 'All pipelines at a glance: as GoCD has it, in short rows with what has changed since, and the views of each user.',
  },
  { anchor: 'feeds', title: 'Feeds', about: 'What runs and what has run, as XML for monitors and readers of feeds.' },
  { anchor: 'stages', title: 'Stages', about: 'The stages of runs: run one, run it or some of its jobs again, cancel it.' },
  { anchor: 'jobs', title: 'Jobs', about: 'The jobs of stages, and why one waits.' },
  { anchor: 'materials', title: 'Materials', about: 'What pipelines are built from, and what has changed in it.' },
  { anchor: 'agents', title: 'Agents', about: 'The programs that run jobs: which there are, what they do, and what they may be given.' },
  {
    anchor: 'agent-protocol',
    title: 'Agent protocol',
    about: 'What agents send to the server, and what it answers. For those who write agents.',
  },
  { anchor: 'webhooks', title: 'Webhooks', about: 'Hosting services report pushes, so that materials need not be polled.' },
  {
    anchor: 'events',
    title: 'Events',
    about: 'All that happens, numbered, in order, as a stream or page by page; no event can be changed unnoticed.',
  },
  { anchor: 'live', title: 'Live notices', about: 'What has changed, for pages that are open: which things to read again.' },
  { anchor: 'consoles', title: 'Consoles', about: 'What jobs print, to be read from any line on, or followed while they print it.' },
  { anchor: 'artifacts', title: 'Artifacts', about: 'What jobs leave: files to be listed, downloaded and uploaded.' },
  { anchor: 'tests', title: 'Tests', about: 'What became of tests: in a job, in the runs of a pipeline, and since when one fails.' },
  { anchor: 'current-user', title: 'Current user', about: 'The user who asks.' },
  {
    anchor: 'sessions',
    title: 'Sessions',
    about: 'How browsers log in: with a cookie, and for changes with a token that only pages of this server know.',
  },
  { anchor: 'users', title: 'Users', about: 'The people the server knows.' },
  { anchor: 'permissions', title: 'Permissions', about: 'What the user who asks may see and administer.' },
  { anchor: 'notification-filters', title: 'Notification filters', about: 'What a user wants mail about; each sees only their own.' },
  { anchor: 'forms', title: 'Forms', about: 'What can be configured, with all that a page needs to let people do it.' },
  { anchor: 'encryption', title: 'Encryption', about: 'Cipher texts for use in configuration.' },
  { anchor: 'plugin-info', title: 'Plugins', about: 'The plugins of this server and the settings they take.' },
  { anchor: 'access-tokens', title: 'Access tokens', about: 'Personal tokens for programs, to be sent as `Authorization: bearer …`.' },
  {
    anchor: 'service-accounts',
    title: 'Service accounts',
    about: 'Users without a password, for programs: administrators make access tokens for them.',
  },
  { anchor: 'server-health-messages', title: 'Server health messages', about: 'What needs the attention of an administrator.' },
  { anchor: 'maintenance-mode', title: 'Maintenance mode', about: 'A server that stands still while administrators work on it.' },
  { anchor: 'health', title: 'Health', about: 'For load balancers and monitors; the only addresses without a login.' },
  { anchor: 'version', title: 'Version', about: 'Which server this is.' },
  { anchor: 'replicas', title: 'Replicas', about: 'The servers that share one database.' },
  { anchor: 'backups', title: 'Backups', about: 'Copies of everything the server keeps, made while it runs, and proven to be whole.' },
  { anchor: 'metrics', title: 'Metrics', about: 'Figures for monitoring.' },
  { anchor: 'documentation', title: 'Documentation', about: 'This page, and the OpenAPI description it is made from.' },
];

export function chaptersOf(kinds: readonly Kind[]): readonly Chapter[] {
  return [...kinds.filter((kind) => !kind.isInternal).map(({ doc, title, about }) => ({ anchor: doc, title, about })), ...OTHER_CHAPTERS];
}

export function chapterOf({ method, path, description }: Route, chapters: readonly Chapter[]): Chapter {
  const chapter = chapters.find(({ anchor }) => anchor === description.chapter);
  if (!chapter) throw new Error(`${method} ${path} names a chapter of the documentation that does not exist: ${description.chapter}.`);
  return chapter;
}
