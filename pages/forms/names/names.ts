// The names of the entities of a resource, for fields that refer to it. Read when they are first needed, and kept for a while.
import { getJson } from '../../api/client.ts';
import { type Json, type JsonObject, textOf } from '../../api/json.ts';
import { readPipelineNames } from '../../api/pipeline-names.ts';
import { fetchKept } from '../../api/queries.ts';
import { readForms } from '../schema/forms.ts';
import { entitiesIn } from './entities.ts';
import type { Name } from './offered.ts';

/** Entities that the user may see; pipelines come from a shorter list. */
export async function namesOfResource(resource: string): Promise<readonly Name[]> {
  if (resource === 'pipelines') return (await readPipelineNames()).map(({ name, group }) => ({ id: name, hint: group }));
  return (await entitiesOf(resource)).map(({ name, entity }) => nameOf(name, entity));
}

export interface NamedEntity {
  readonly name: string;
  readonly entity: JsonObject;
}

/** All entities of a resource, each with the name that others refer to. */
export async function entitiesOf(resource: string): Promise<readonly NamedEntity[]> {
  const form = (await readForms()).find((one) => one.resource === resource);
  if (form === undefined || form.is_singleton) return [];
  const { path, version, id_field: idField, list_key: listKey } = form;
  const list = await fetchKept([path, version], (signal) => getJson<Json>(path, version, signal));
  return entitiesIn(list, listKey).map((entity) => ({ name: textOf(entity[idField ?? 'id']), entity }));
}

function nameOf(id: string, { plugin_id: plugin, name, type }: JsonObject): Name {
  const hint = textOf(plugin ?? name ?? type);
  return hint === '' || hint === id ? { id } : { id, hint };
}
