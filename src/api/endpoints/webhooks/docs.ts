// The documentation of the calls of hosting services.
import { NO_BASIC_TOKEN, NO_GITLAB_TOKEN, NO_SIGNATURE } from '../../../materials/webhooks/providers.ts';
import type { Json, JsonSchema } from '../../../shape/json/json.ts';
import { described, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';

interface WebhookDocs {
  readonly bodies: NonNullable<RouteDescription['bodies']>;
  /** The message for a call without any proof. */
  readonly noProof: string;
}

const OTHERS = { additionalProperties: true };
const open = (members: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ ...objectSchema(members), ...OTHERS });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items, description: 'What was pushed.' });
const REF = described(TEXT, 'What was pushed, such as `refs/heads/main`.');
const NAME = described(TEXT, 'Its name, with that of its owner.');
const ADDRESS = described(TEXT, 'Its address.');
const BRANCH = described(TEXT, 'The name of the branch or tag.');
const BRANCH_TYPE = described(TEXT, 'Whether it is a branch or a tag.');
const SCM = described(TEXT, '`git`, or `hg`.');
const REPOSITORY = 'The repository.';
const LINKS = 'Where it is.';

const GITHUB = {
  schema: open({ ref: REF, repository: described(open({ html_url: ADDRESS, full_name: NAME }), REPOSITORY) }),
  example: { ref: 'refs/heads/main', repository: { html_url: 'https://github.com/example/shop', full_name: 'example/shop' } },
};

const json = (schema: JsonSchema, example: Json): WebhookDocs['bodies'] => ({ 'application/json': { schema, example } });

export const WEBHOOK_DOCS: Readonly<Record<string, WebhookDocs>> = {
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
    bodies: json(open({ ref: REF, project: described(open({ http_url: ADDRESS, path_with_namespace: NAME }), REPOSITORY) }), {
      ref: 'refs/heads/main',
      project: { http_url: 'https://gitlab.com/example/shop.git', path_with_namespace: 'example/shop' },
    }),
  },
  bitbucket: {
    noProof: NO_BASIC_TOKEN,
    bodies: json(
      open({
        push: described(
          open({
            changes: list(
              open({
                new: {
                  ...open({ name: BRANCH, type: BRANCH_TYPE }),
                  type: ['object', 'null'],
                  description: 'As it is now; null: it was deleted.',
                },
              }),
            ),
          }),
          'The push.',
        ),
        repository: described(
          open({ scm: SCM, full_name: NAME, links: described(open({ html: described(open({ href: ADDRESS }), 'Its page.') }), LINKS) }),
          REPOSITORY,
        ),
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
        changes: list(open({ ref: described(open({ displayId: BRANCH, type: BRANCH_TYPE }), 'The branch or tag.') })),
        repository: described(
          open({
            scmId: SCM,
            links: described(
              open({
                clone: {
                  ...list(open({ name: described(MAYBE_TEXT, 'The protocol.'), href: ADDRESS })),
                  description: 'The addresses to clone it from.',
                },
              }),
              LINKS,
            ),
          }),
          REPOSITORY,
        ),
      }),
      {
        changes: [{ ref: { displayId: 'main', type: 'BRANCH' } }],
        repository: { scmId: 'git', links: { clone: [{ name: 'http', href: 'https://bitbucket.example.org/scm/example/shop.git' }] } },
      },
    ),
  },
};
