// From a desired state to the draft that brings it about.
import type { Draft } from '../../config/draft.ts';
import { nameOf } from '../../config/references.ts';
import { remoteOrigin } from '../../config/remote.ts';
import { KINDS_IN_ORDER } from '../../document/save/kinds.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Pause } from '../../kit/slices.ts';
import { isObject, type Json, type JsonObject, snakeCase } from '../../shape/json.ts';
import { type Collection, idOf, type Kind, keyOf } from '../../shape/resource.ts';
import { kindCalled } from '../endpoints/changed-json.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { putNew } from '../verbs/create.ts';
import { ownPart } from '../verbs/overwrite.ts';
import { readBodyAs } from '../verbs/read-body.ts';
import { withId } from '../verbs/update.ts';

export interface DesiredState {
  /** What is wanted of each kind, those first that others look at. */
  readonly wanted: readonly { readonly kind: Kind; readonly entities: readonly JsonObject[] }[];
  /** The kinds of which all that is not wanted is removed. */
  readonly complete: readonly Kind[];
}

export function readDesired(resources: Json | undefined, deleteAbsent: Json | undefined, kinds: ReadonlyMap<string, Kind>): DesiredState {
  if (!isObject(resources)) throw wrong('resources', 'The member `resources` must be an object with a member for each resource.');
  const wanted = Object.entries(resources).map(([name, value]) => {
    const kind = kindCalled(kinds.values(), name, 'resources');
    const entities = kind.shape === 'singleton' ? [value] : value;
    if (Array.isArray(entities) && entities.every(isObject)) return { kind, entities: entities as readonly JsonObject[] };
    throw wrong('resources', `The member \`resources.${name}\` must be ${kind.shape === 'singleton' ? 'an object' : 'a list of objects'}.`);
  });
  const absent = deleteAbsent ?? [];
  if (!Array.isArray(absent) || !absent.every((name) => typeof name === 'string' && Object.hasOwn(resources, name))) {
    throw wrong('delete_absent', 'The member `delete_absent` must be a list of names that stand in `resources`, too.');
  }
  const complete = (absent as readonly string[]).map((name) => kindCalled(kinds.values(), name, 'delete_absent'));
  if (complete.some(({ shape }) => shape === 'singleton')) throw wrong('delete_absent', 'Only what can be many can be absent.');
  return { wanted: wanted.toSorted((one, other) => placeOf(one.kind) - placeOf(other.kind)), complete };
}

export async function decideDesired(draft: Draft, { wanted, complete }: DesiredState, parts: ResourceParts, pause: Pause): Promise<void> {
  const named = new Set<string>();
  for (const { kind, entities } of wanted) {
    for (const body of entities) {
      const id = await put(draft, kind, body, parts);
      const name = nameOf(kind, keyOf(kind, id));
      if (named.has(name)) throw wrong('resources', `The ${kind.title.toLowerCase()} '${id}' is wanted twice.`);
      named.add(name);
      await pause();
    }
  }
  // Those first that refer to others.
  for (const kind of complete.toSorted((one, other) => placeOf(other) - placeOf(one))) {
    const absent = Array.from(draft.lookup(kind).values()).filter(
      (entity) => !remoteOrigin(entity) && !named.has(nameOf(kind, keyOf(kind, idOf(kind, entity)))),
    );
    for (const entity of absent) if (draft.find(kind, idOf(kind, entity))) draft.remove(kind, idOf(kind, entity));
    await pause();
  }
}

/** Returns the id it has. */
async function put(draft: Draft, kind: Kind, body: JsonObject, parts: ResourceParts): Promise<string> {
  const id = kind.shape === 'singleton' ? '' : idWanted(kind, body, parts);
  const current = kind.shape === 'singleton' || id !== '' ? draft.find(kind, id) : undefined;
  const whole = kind.shape === 'collection' && id !== '' ? withId(kind, body, id) : body;
  const read = await readBodyAs(kind, whole, parts, current?.value, draft);
  if (kind.shape === 'collection' && !current) return idOf(kind, putNew(draft, kind, read, {}).value);
  draft.put(kind, id, ownPart(kind, read.entity, draft.seen), read.problems);
  return id;
}

/** Whoever leaves out an id that the server makes up is understood by the name. */
function idWanted(kind: Kind & Collection, body: JsonObject, { config }: ResourceParts): string {
  const given = body[snakeCase(kind.id)];
  if (typeof given === 'string' && given !== '') return given;
  const address = kind.addressedBy && body[snakeCase(kind.addressedBy)];
  if (typeof address !== 'string') return '';
  const id = config.of(kind.name).idAt(address);
  return config.of(kind.name).find(id) ? id : '';
}

function placeOf({ name }: Kind): number {
  const place = KINDS_IN_ORDER.indexOf(name);
  return place < 0 ? KINDS_IN_ORDER.length : place;
}

function wrong(at: string, message: string): Refusal {
  return new Refusal('invalid', message, { data: { errors: { [at]: [message] } } });
}
