// Forms: the resources that can be configured, and the schemas that pages need to show a form.
import type { Access } from '../../../access/may.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { type Kind, resourceName } from '../../../shape/resource.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { EXAMPLE_RESOURCE, FORM, FORMS_CHAPTER, FORMS_PATH, LIST, unknownForm } from './docs.ts';
import { formBody, formJson } from './json.ts';
import { ALL_RIGHTS, type Rights, rightsOf } from './rights.ts';

/** `routes` tell the further requests about a resource. */
export function formRoutes(all: Iterable<Kind>, routes: readonly Route[], access: Access): Route[] {
  const kinds = [...all].filter((kind) => !kind.isInternal);
  const bodies = new Map<Kind, JsonObject>();
  const common = { method: 'GET', version: 1, permission: 'user' } as const;
  return [
    {
      ...common,
      path: FORMS_PATH,
      description: { chapter: FORMS_CHAPTER, ...LIST, example: () => listJson(kinds.filter(isExample), ALL_RIGHTS, EXAMPLE_BASE) },
      handle: ({ identity, base }) => jsonAnswer(listJson(kinds, rightsOf(identity, access), base)),
    },
    {
      ...common,
      path: `${FORMS_PATH}/:resource`,
      description: { chapter: FORMS_CHAPTER, ...FORM, example: () => oneJson(kinds.find(isExample)!, ALL_RIGHTS, EXAMPLE_BASE) },
      handle: ({ params: { resource = '' }, identity, base }) => {
        const kind = kinds.find((one) => resourceName(one) === resource);
        if (!kind) throw new Refusal('notFound', unknownForm(resource));
        return jsonAnswer(oneJson(kind, rightsOf(identity, access), base));
      },
    },
  ];

  function listJson(listed: readonly Kind[], rights: Rights, base: string): JsonOut {
    return {
      _links: links(base, { self: FORMS_PATH, find: `${FORMS_PATH}/:resource`, doc: docLink(FORMS_CHAPTER) }),
      forms: listed.map((kind) => formJson(kind, routes, rights)),
    };
  }

  function oneJson(kind: Kind, rights: Rights, base: string): JsonOut {
    return {
      _links: links(base, { self: `${FORMS_PATH}/${resourceName(kind)}`, find: `${FORMS_PATH}/:resource`, doc: docLink(FORMS_CHAPTER) }),
      ...formJson(kind, routes, rights),
      ...bodies.getOrInsertComputed(kind, formBody),
    };
  }
}

function isExample(kind: Kind): boolean {
  return resourceName(kind) === EXAMPLE_RESOURCE;
}
