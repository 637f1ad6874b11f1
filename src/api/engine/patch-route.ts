// The PATCH of a resource, which takes JSON merge patches.
import { snakeCase } from '../../shape/json/json.ts';
import { MERGE_PATCH, mergePatchSchema } from '../../shape/json/merge-patch.ts';
import type { Kind } from '../../shape/resource.ts';
import { isMergePatch } from '../http/body/body.ts';
import { answerExample, patchedExample } from './answer-example.ts';
import type { ResourceParts } from './resource-parts.ts';
import { nounOf, type Particulars, resourceRoute } from './resource-route.ts';
import { requestSchema, responseSchema } from './resource-schemas.ts';
import type { Route, RouteDescription } from './route.ts';
import { mergePatch } from './verbs/merge-patch.ts';
import { patch } from './verbs/patch.ts';

/** By operations of its own, where the kind has some, and by merge patches. */
export function patchRoute(kind: Kind, parts: ResourceParts, more: Partial<Particulars>): Route {
  const { patch: operations } = kind;
  const merge = mergePatchBody(kind);
  const plain = operations ? { schema: operations.request, example: operations.example } : merge;
  const ifMatch = kind.needsIfMatch ? 'required' : 'optional';
  const needed = operations && kind.needsIfMatch ? ' It must say what it is based on, by `If-Match`.' : '';
  const described = resourceRoute(kind, 'PATCH', {
    ...more,
    summary: `Change parts of the ${nounOf(kind)}`,
    details: `As a JSON merge patch (RFC 7396)${operations ? `, sent as \`${MERGE_PATCH}\`` : ''}: members that are sent replace those that are there, null removes, all others stay, secrets among them. Lists are replaced whole.${needed}`,
    request: plain,
    bodies: { 'application/json': plain, [MERGE_PATCH]: merge },
    response: () => responseSchema(kind),
    example: () => (operations ? patchedExample(kind, parts) : answerExample(kind, parts)),
    hasEtag: true,
    ifMatch: operations ? 'optional' : ifMatch,
    handle: (ask) => (operations && !isMergePatch((name) => ask.header(name)) ? patch(kind, parts, ask) : mergePatch(kind, parts, ask)),
  });
  return { ...described, takesMergePatch: true };
}

/** The example sets a member to its present value. */
function mergePatchBody(kind: Kind): NonNullable<RouteDescription['request']> {
  const id = kind.shape === 'collection' ? snakeCase(kind.id) : '';
  const example = Object.entries(kind.example)
    .filter(([name]) => name !== id)
    .slice(-1);
  return { schema: () => mergePatchSchema(requestSchema(kind)), example: Object.fromEntries(example) };
}
