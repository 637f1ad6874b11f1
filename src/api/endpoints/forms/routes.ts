// Forms: the resources that can be configured, and the schemas that pages need to show a form.
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { type Kind, resourceName } from '../../../shape/resource.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { EXAMPLE_RESOURCE, FORM, FORMS_CHAPTER, FORMS_PATH, LIST, unknownForm } from './docs.ts';
import { type FormFacts, formBody, formJson } from './json.ts';
import { ALL_RIGHTS, type Rights, rightsOf } from './rights.ts';

/** `routes` include the further requests about a resource. */
export function formRoutes(routes: readonly Route[], { config, access }: Pick<ResourceParts, 'config' | 'access'>): Route[] {
  const kinds = [...config.kinds.values()].filter((kind) => !kind.isInternal);
  let named: ReadonlySet<unknown> | undefined;
  const facts: FormFacts = {
    routes,
    isSet: ({ name }) => config.of(name).find('') !== undefined,
    isReferredTo: (kind) =>
      kind.isNamedInTexts === true || (named ??= new Set(kinds.flatMap((one) => [...referencesIn(bodyOf(one))]))).has(resourceName(kind)),
  };
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

  function bodyOf(kind: Kind): JsonObject {
    return bodies.getOrInsertComputed(kind, formBody);
  }

  function listJson(listed: readonly Kind[], rights: Rights, base: string): JsonOut {
    return {
      _links: links(base, { self: FORMS_PATH, find: `${FORMS_PATH}/:resource`, doc: docLink(FORMS_CHAPTER) }),
      forms: listed.map((kind) => formJson(kind, facts, rights)),
    };
  }

  function oneJson(kind: Kind, rights: Rights, base: string): JsonOut {
    return {
      _links: links(base, { self: `${FORMS_PATH}/${resourceName(kind)}`, find: `${FORMS_PATH}/:resource`, doc: docLink(FORMS_CHAPTER) }),
      ...formJson(kind, facts, rights),
      ...bodyOf(kind),
    };
  }
}

function isExample(kind: Kind): boolean {
  return resourceName(kind) === EXAMPLE_RESOURCE;
}

/** The resources whose names the fields of a form take. */
function* referencesIn(schema: unknown): Generator<unknown> {
  if (typeof schema !== 'object' || schema === null) return;
  if ('x-refers-to' in schema) yield schema['x-refers-to'];
  for (const part of Object.values(schema)) yield* referencesIn(part);
}
