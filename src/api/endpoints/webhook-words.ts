// What the calls of hosting services look like, for the documentation.
import { NO_BASIC_TOKEN, NO_GITLAB_TOKEN, NO_SIGNATURE } from '../../materials/webhooks/providers.ts';
import type { Json, JsonSchema } from '../../shape/json.ts';
import { MAYBE_TEXT, objectSchema, TEXT } from '../../shape/schemas.ts';
import type { RouteDescription } from '../route.ts';

interface WebhookWords {
  readonly bodies: NonNullable<RouteDescription['bodies']>;
  /** What a call without any proof is told. */
  readonly noProof: string;
}

const OTHERS = { additionalProperties: true };
const open = (members: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ ...objectSchema(members), ...OTHERS });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const GITHUB = {
  schema: open({ ref: TEXT, repository: open({ html_url: TEXT, full_name: TEXT }) }),
  example: { ref: 'refs/heads/main', repository: { html_url: 'https://github.com/example/shop', full_name: 'example/shop' } },
};

const json = (schema: JsonSchema, example: Json): WebhookWords['bodies'] => ({ 'application/json': { schema, example } });

export const WEBHOOK_WORDS: Readonly<Record<string, WebhookWords>> = {
  github: {
    noProof: NO_SIGNATURE,
    bodies: {
      'application/json': GITHUB,
      'application/x-www-form-urlencoded': {
        schema: objectSchema({ payload: { ...TEXT, description: 'The JSON.' } }),
        example: { payload: JSON.stringify(GITHUB.example) },
      },
    },
  },
  gitlab: {
    noProof: NO_GITLAB_TOKEN,
    bodies: json(open({ ref: TEXT, project: open({ http_url: TEXT, path_with_namespace: TEXT }) }), {
      ref: 'refs/heads/main',
      project: { http_url: 'https://gitlab.com/example/shop.git', path_with_namespace: 'example/shop' },
    }),
  },
  bitbucket: {
    noProof: NO_BASIC_TOKEN,
    bodies: json(
      open({
        push: open({ changes: list(open({ new: { ...open({ name: TEXT, type: TEXT }), type: ['object', 'null'] } })) }),
        repository: open({ scm: TEXT, full_name: TEXT, links: open({ html: open({ href: TEXT }) }) }),
      }),
      {
        push: { changes: [{ new: { name: 'main', type: 'branch' } }] },
        repository: { scm: 'git', full_name: 'example/shop', links: { html: { href: 'https://bitbucket.org/example/shop' } } },
      },
    ),
  },
  hosted_bitbucket: {
    noProof: NO_SIGNATURE,
    bodies: json(
      open({
        changes: list(open({ ref: open({ displayId: TEXT, type: TEXT }) })),
        repository: open({ scmId: TEXT, links: open({ clone: list(open({ name: MAYBE_TEXT, href: TEXT })) }) }),
      }),
      {
        changes: [{ ref: { displayId: 'main', type: 'BRANCH' } }],
        repository: { scmId: 'git', links: { clone: [{ name: 'http', href: 'https://bitbucket.example.org/scm/example/shop.git' }] } },
      },
    ),
  },
};
