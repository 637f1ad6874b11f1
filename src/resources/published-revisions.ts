// The published revision of a config repo: its definitions are part of the configuration.
import { text } from '../shape/fields.ts';
import { messagesOf } from '../shape/problems/messages.ts';
import { collection } from '../shape/resource.ts';

export const publishedRevisions = collection({
  title: 'Published revision',
  about: 'The revision of a config repo whose definitions are in force.',
  path: '/api/admin/internal/published_revisions',
  version: 1,
  permission: 'admin',
  doc: 'config-repos',
  links: [],
  listLinks: [],
  listKey: 'published_revisions',
  id: 'repo',
  idParameter: 'id',
  needsIfMatch: false,
  isInternal: true,
  fields: {
    repo: text({ description: 'The config repo.' }),
    revision: text({ description: 'The revision, as the repository names it.' }),
    source: text({ description: 'Where the definitions come from, in words for people.' }),
  },
  refersTo: ({ repo }) => [{ kind: 'configRepos', id: repo, at: ['repo'], unknown: '', isOwner: true, mayBeAbsent: true }],
  messages: messagesOf({ entity: 'published revision', by: 'repo', short: 'published revision', tag: 'publishedRevision' }),
  example: { repo: 'team-a', revision: '3f2a9c', source: 'https://scm.example.org/a.git at revision 3f2a9c' },
});
