// From a desired state to the draft that brings it about.

import type { Draft } from '../../../config/draft.ts';
import { nameOf } from '../../../config/references.ts';
import { repoOriginOf } from '../../../config/repo-origin.ts';
import { requiredByRepos } from '../../../config/required-by-repos.ts';
import { REMOVED_FIRST } from '../../../document/save/kinds.ts';
import type { Pause } from '../../../kit/concurrency/time-slices.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type JsonObject, snakeCase } from '../../../shape/json/json.ts';
import { type Collection, idOf, type Kind, keyOf, resourceName } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { putNew, putPrerequisites } from '../verbs/create.ts';
import { ownPart } from '../verbs/overwrite.ts';
import { readBodyAs } from '../verbs/read-body.ts';
import { putIfDifferent } from '../verbs/replace.ts';
import { withId } from '../verbs/update.ts';
import { type DesiredState, type DesiredStateError, orderOf } from './read-desired.ts';
import { isRemote, mustBeAsDefined } from './remote-item.ts';

/** Returns the errors of entities that could not be put into the draft. */
export async function decideDesired(
  draft: Draft,
  { wanted, complete }: DesiredState,
  parts: ResourceParts,
  pause: Pause,
): Promise<readonly DesiredStateError[]> {
  const named = new Set<string>();
  const mistakes: DesiredStateError[] = [];
  for (const { kind, entities } of wanted) {
    if (kind.shape === 'singleton' || !REMOVED_FIRST.has(kind.name) || !complete.includes(kind)) continue;
    const keys = new Set(entities.map((body) => keyOf(kind, idWanted(kind, body, parts))));
    removeAbsent(draft, kind, (key) => keys.has(key));
  }
  for (const { kind, entities } of wanted) {
    for (const body of entities) {
      const put = await tryToPut(draft, kind, body, parts);
      const name = 'id' in put ? nameOf(kind, keyOf(kind, put.id)) : undefined;
      if ('mistake' in put) mistakes.push(put.mistake);
      else if (named.has(name!)) mistakes.push(mistakeIn(kind, put.id, `The ${kind.title.toLowerCase()} '${put.id}' is listed twice.`));
      if (name !== undefined) named.add(name);
      await pause();
    }
  }
  // Entities that refer to others are removed first.
  for (const kind of complete.toSorted((one, other) => orderOf(other) - orderOf(one))) {
    removeAbsent(draft, kind, (key) => named.has(nameOf(kind, key)));
    await pause();
  }
  return mistakes;
}

/** All of them, or all they have of their own where config repos need them. */
function removeAbsent(draft: Draft, kind: Kind, isNamed: (key: string) => boolean): void {
  const ids = Array.from(draft.lookup(kind).values())
    .filter((entity) => !repoOriginOf(entity))
    .map((entity) => idOf(kind, entity))
    .filter((id) => !isNamed(keyOf(kind, id)));
  for (const id of ids) {
    const rest = requiredByRepos(draft, kind, id);
    if (rest) draft.put(kind, id, rest);
    else if (draft.find(kind, id)) draft.remove(kind, id);
  }
}

/** Gives the id it has, or why it cannot be there at all. */
async function tryToPut(
  draft: Draft,
  kind: Kind,
  body: JsonObject,
  parts: ResourceParts,
): Promise<{ readonly id: string } | { readonly mistake: DesiredStateError }> {
  const id = kind.shape === 'singleton' ? '' : idWanted(kind, body, parts);
  try {
    return { id: await put(draft, kind, id, body, parts) };
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.kind === 'invalid')) throw failure;
    return { mistake: mistakeIn(kind, id, failure.message) };
  }
}

async function put(draft: Draft, kind: Kind, id: string, body: JsonObject, parts: ResourceParts): Promise<string> {
  const current = kind.shape === 'singleton' || id !== '' ? draft.find(kind, id) : undefined;
  const whole = kind.shape === 'collection' && id !== '' ? withId(kind, body, id) : body;
  const read = await readBodyAs(kind, whole, parts, current?.value, draft);
  if (kind.shape === 'collection' && !current) return idOf(kind, putNew(draft, kind, read).value);
  if (kind.shape === 'singleton') putIfDifferent(draft, kind, read);
  else if (isRemote(current)) mustBeAsDefined(parts.config, kind, id, current!, read.entity);
  else {
    putPrerequisites(draft, kind, read.entity);
    draft.put(kind, id, ownPart(kind, read.entity, draft.ruleView), read.problems);
  }
  return id;
}

/** An entity that is sent without its generated id is found by its name. */
function idWanted(kind: Kind & Collection, body: JsonObject, { config }: ResourceParts): string {
  const given = body[snakeCase(kind.id)];
  if (typeof given === 'string' && given !== '') return given;
  const address = kind.addressedBy && body[snakeCase(kind.addressedBy)];
  if (typeof address !== 'string') return '';
  const id = config.of(kind.name).idAt(address);
  return config.of(kind.name).find(id) ? id : '';
}

function mistakeIn(kind: Kind, id: string, message: string): DesiredStateError {
  return { resource: resourceName(kind), id, path: '', message };
}
