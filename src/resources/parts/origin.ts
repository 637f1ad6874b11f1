// Where something is defined: in the server's own configuration, or in a file of a config repo.
import type { Field } from '../../shape/field.ts';
import { LINKS } from '../../shape/json/schemas.ts';
import type { RemoteOrigin } from '../../shape/origin.ts';
import type { Lookup, Reference } from '../../shape/resource.ts';
import { linksTo } from './link-to.ts';

export type { RemoteOrigin as Origin };

export interface SourcesView {
  readonly publishedRevisions: Lookup<{ readonly source: string }>;
}

export const OWN_SOURCE = 'cruise-config.xml';

/** `gocd` is the word of GoCD for the server's own configuration. Clients cannot set the origin over the API. */
export const origin: Field<RemoteOrigin | null> = {
  read: () => null,
  write: (value, name, out, { base }) => {
    if (value === null) out[name] = { type: 'gocd' };
    else out[name] = { ...linksTo(base, '/api/admin/config_repos', value.repo, 'config-repos', 'id'), type: 'config_repo', id: value.repo };
  },
  describe: (name) => ({
    request: {},
    response: {
      [name]: {
        type: 'object',
        description: 'Where it is defined.',
        properties: {
          _links: LINKS,
          type: { type: 'string', enum: ['gocd', 'config_repo'], description: '`gocd`: in the configuration of the server itself.' },
          id: { type: 'string', description: 'The config repo; absent if it is not a config repo.' },
        },
      },
    },
  }),
};

/** It goes with its repo. */
export function repoReference(from: RemoteOrigin | null): Reference[] {
  return from === null ? [] : [{ kind: 'configRepos', id: from.repo, at: ['origin'], unknown: '', isOwner: true, mayBeAbsent: true }];
}

/** A label that shows people where something is defined. */
export function sourceOf(from: RemoteOrigin | null, { publishedRevisions }: SourcesView): string {
  return from === null ? OWN_SOURCE : (publishedRevisions.get(from.repo)?.source ?? `config repo '${from.repo}'`);
}
