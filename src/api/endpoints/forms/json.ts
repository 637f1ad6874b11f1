// A form as JSON: its purpose, the path of its entities, and the rights of the user to them.
import { type JsonObject, type JsonOut, snakeCase } from '../../../shape/json/json.ts';
import { type Kind, resourceName } from '../../../shape/resource.ts';
import { nounOf, pluralOf } from '../../engine/resource-route.ts';
import { requestSchema, responseSchema } from '../../engine/resource-schemas.ts';
import type { Route } from '../../engine/route.ts';
import { ENTITY_USAGES_PATH } from '../usages/entities.ts';
import type { Rights } from './rights.ts';
import { formSchema } from './schema.ts';

export interface FormFacts {
  /** They include the further requests about a resource. */
  readonly routes: readonly Route[];
  /** Whether a single one was ever set. */
  isSet(kind: Kind): boolean;
  /** Whether fields of others name such entities. */
  isReferredTo(kind: Kind): boolean;
}

export function formJson(kind: Kind, facts: FormFacts, rights: Rights): JsonOut {
  const { label = kind.title, about, path, version } = kind;
  const isSingle = kind.shape === 'singleton';
  const canView = rights.mayView(kind);
  return {
    resource: resourceName(kind),
    title: isSingle ? label : pluralOf(label),
    singular: nounOf({ title: label }),
    about,
    is_singleton: isSingle,
    is_set: isSingle ? canView && facts.isSet(kind) : null,
    path,
    ...membersOf(kind),
    version,
    can_view: canView,
    can_create: !isSingle && rights.mayCreate(kind),
    can_delete: canView && (!isSingle || kind.verbs.includes('DELETE')),
    can_rename: !isSingle && kind.mayBeRenamed === true,
    has_usages: usagesPath(kind, facts, rights) ?? null,
  };
}

/** The schema and an example of the body to send: the same for all users. */
export function formBody(kind: Kind): JsonObject {
  const schema: JsonObject = JSON.parse(JSON.stringify(formSchema(requestSchema(kind), responseSchema(kind))));
  return { schema, example: kind.example };
}

/** The members that identify, address and list those of a collection. */
function membersOf(kind: Kind): JsonOut {
  if (kind.shape === 'singleton') return { id_field: null, address_field: null, name_field: null, list_key: null, created_as: null };
  const idField = snakeCase(kind.id);
  return {
    id_field: idField,
    address_field: snakeCase(kind.addressedBy ?? kind.id),
    name_field: Object.hasOwn(kind.fields, 'name') ? 'name' : idField,
    list_key: kind.listKey,
    created_as: kind.createdAs ? { ...kind.createdAs } : null,
  };
}

/** The route that lists the usages of an entity, found by the chapter of the documentation it is in; or the one for entities of any kind. */
function usagesPath(kind: Kind, { routes, isReferredTo }: FormFacts, { mayAskUsages }: Rights): string | undefined {
  const own = routes.find(({ path, description: { chapter } }) => chapter === kind.doc && path.endsWith('/usages'));
  if (own) return own.path.replace(/:\w+/, '{id}');
  if (kind.shape === 'singleton' || !mayAskUsages || !isReferredTo(kind)) return undefined;
  return ENTITY_USAGES_PATH.replace(':resource', resourceName(kind)).replace(':id', '{id}');
}
