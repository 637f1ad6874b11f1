// The guards of a resource whose entities can be opened to single users by policies.

import { type Identity, withoutScopes } from '../../access/identity.ts';
import { type Access, SCOPE_RESOURCES } from '../../access/may.ts';
import type { AccessRequest, Action } from '../../access/policy.ts';
import { ALL } from '../../access/scopes/scope.ts';
import type { Config } from '../../config/current.ts';
import type { Entry } from '../../config/entry.ts';
import { Refusal } from '../../kit/refusal.ts';
import { type JsonObject, scalarText, snakeCase } from '../../shape/json/json.ts';
import { missing } from '../../shape/json/reading.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import { type Collection, type Entity, idOf, type Kind } from '../../shape/resource.ts';
import { mayOrRefuse } from './authorize.ts';
import { plainReading } from './plain-reading.ts';
import type { ApiRequest, Guard, Subject } from './route.ts';
import { mustBeInScope } from './route-scope.ts';

export interface Guards {
  readonly list?: Guard;
  readonly view?: Guard;
  readonly administer?: Guard;
  readonly create?: Guard;
}

export function guardsOf(kind: Kind & Collection, config: Config): Guards {
  const { policy } = kind;
  if (!policy) return {};
  const one = (action: Action): Guard => ({
    type: policy.type,
    action,
    on: ({ params }) => {
      const id = params.id ?? '';
      return policy.within ? subjectNamed(kind, id, config) : { resource: id };
    },
  });
  return {
    list: { type: policy.type, action: 'view' },
    view: one('view'),
    administer: one('administer'),
    create: policy.isCreatedByAdmins
      ? { type: policy.type, action: 'administer', isForAdmins: true, on: () => ({ resource: '' }) }
      : { type: policy.type, action: 'administer', isInBody: true, on: ({ body }) => subjectOf(kind, namedIn(kind, body)) },
  };
}

/** Users who move an entity need the right where it goes, too; and a token that is limited to names needs the scope on the new name. */
export function authorizeSubject(
  kind: Kind & Collection,
  entity: Entity,
  { access }: { readonly access: Access },
  { identity }: Pick<ApiRequest, 'identity'>,
): void {
  const { policy, permission } = kind;
  if (policy?.within) mayOrRefuse(access, identity, permission, { type: policy.type, action: 'administer', ...subjectOf(kind, entity) });
  else if (kind.mayBeRenamed)
    mustBeInScope(access, identity, { resource: scopeResource(kind), action: 'administer', name: idOf(kind, entity) });
}

/** Things that are created along with an entity need the scope of those that are created by themselves: it names all of them. */
export function authorizePrerequisites(
  { creates }: Kind & Collection,
  entity: Entity,
  { access, config }: { readonly access: Access; readonly config: Config },
  { identity }: Pick<ApiRequest, 'identity'>,
): void {
  for (const { kind: name, id } of creates?.(entity) ?? []) {
    const kind = config.kinds.get(name);
    if (kind && !config.of(name).find(id))
      mustBeInScope(access, identity, { resource: scopeResource(kind), action: 'administer', name: ALL });
  }
}

/** Which members of a list the user may see; undefined: all. */
export function visibleTo(identity: Identity, kind: Kind & Collection, access: Access): ((entry: Entry) => boolean) | undefined {
  if (access.isAdmin(identity) || (!kind.policy && !identity.scopes)) return undefined;
  return ({ value }) => maySee(identity, kind, value, access);
}

/** The name of a kind in scopes of access tokens. */
export function scopeResource({ name, policy }: Pick<Kind, 'name' | 'policy'>): string {
  return policy ? SCOPE_RESOURCES[policy.type] : snakeCase(name);
}

/** Whether the user may see an entity, by its policy or by the permission of its kind. */
export function maySee(identity: Identity, kind: Kind, entity: Entity, access: Access): boolean {
  const { policy, permission } = kind;
  if (!policy) {
    const needed = { resource: scopeResource(kind), action: 'view', name: idOf(kind, entity) || ALL } as const;
    return access.passes(withoutScopes(identity), permission) && access.isInScope(identity, needed);
  }
  const question: AccessRequest = {
    type: policy.type,
    action: policy.isVisibleToAdminsOnly ? 'administer' : 'view',
    ...subjectOf(kind, entity),
  };
  return access.may(identity, permission, question);
}

/** The owner (`within`) is known only of an entity that exists. */
export function subjectNamed(kind: Kind, id: string, config: Config): Subject {
  const entry = config.of(kind.name).find(id);
  return entry ? subjectOf(kind, entry.value) : { resource: id, within: '', missing: new Refusal('notFound', kind.messages.notFound(id)) };
}

function subjectOf(kind: Kind, entity: Entity): { resource: string; within?: string } {
  const within = kind.policy?.within?.(entity);
  return { resource: idOf(kind, entity), ...(within !== undefined && { within }) };
}

/** The texts of a body under the names of the fields, before the body has been checked. Without an id there is nothing to ask about. */
function namedIn(kind: Kind & Collection, body: JsonObject): Entity {
  const problems: Problem[] = [];
  const name = snakeCase(kind.id);
  if ((body[name] ?? null) === null) missing({ holder: body, path: [], reading: plainReading(problems) }, name);
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  return Object.fromEntries(Object.keys(kind.fields).map((field) => [field, scalarText(body[snakeCase(field)])]));
}
