// The entities in lists of the API.
import { isObject, type Json, type JsonObject } from '../../api/json.ts';

/** Lists have their members under a name of their own. */
export function entitiesIn(list: Json, key: string | null): JsonObject[] {
  const embedded = isObject(list) ? (list._embedded ?? list) : {};
  const found = isObject(embedded) && key !== null ? embedded[key] : undefined;
  return Array.isArray(found) ? found.filter(isObject) : [];
}
