// The resources and actions that scopes of access tokens can name.
import { SCOPE_ACTIONS } from '../../../access/scopes/scope.ts';
import { described, LINKS, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import type { ScopeResource } from './resources.ts';

const PATH = '/api/token_scopes';
const CHAPTER = 'access-tokens';

const ACTIONS = {
  view: 'Read it.',
  operate: 'Make it work: run, pause and cancel pipelines, upload artifacts, change own settings. Includes `view`.',
  administer: 'Create, change and delete it. Includes `operate`. `*` means the same.',
} as const satisfies Readonly<Record<(typeof SCOPE_ACTIONS)[number], string>>;

const named = (whose: string) => objectSchema({ name: described(TEXT, `The word for it in scopes.`), about: described(TEXT, whose) });

export function scopeListRoute(resources: () => readonly ScopeResource[]): Route {
  const body = (listed: readonly ScopeResource[], base: string) => ({
    _links: links(base, { self: PATH, doc: docLink(CHAPTER) }),
    actions: SCOPE_ACTIONS.map((name) => ({ name, about: ACTIONS[name] })),
    resources: listed.map(({ name, about }) => ({ name, about })),
  });
  return {
    method: 'GET',
    path: PATH,
    version: 1,
    permission: 'user',
    description: {
      chapter: CHAPTER,
      summary: 'What scopes of access tokens can be about',
      details:
        'A scope is `resource:action:pattern`. The pattern is a name in which `*` stands for any characters and `?` for one; `*` alone means all. A scope on a pipeline group covers its pipelines. Lists show what the scopes let see; what has no name of its own, or is not created yet, needs the pattern `*`.',
      response: objectSchema({
        _links: LINKS,
        actions: { type: 'array', items: named('What it allows.'), description: 'What scopes let the user of a token do.' },
        resources: { type: 'array', items: named('What it is.'), description: 'What they let the user do it with.' },
      }),
      example: () => body(resources(), EXAMPLE_BASE),
      hasEtag: true,
    },
    handle: ({ base }) => jsonAnswer(body(resources(), base)),
  };
}
