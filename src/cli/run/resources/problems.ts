// The problems that a server finds in a sent body: it repeats the body, with `errors` in each object that has some.
import { isObject, type Json, type JsonObject } from '../../../shape/json/json.ts';

/** One line each: the path of the field, and the problem. */
export function problemsIn(answer: JsonObject): readonly string[] {
  const { data = null } = answer;
  const found = isObject(data) ? placed(data, '') : placed(answer, '');
  return [...new Set(found)];
}

function placed(value: Json, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => placed(item, `${path}/${index}`));
  if (!isObject(value)) return [];
  const { errors = null, ...members } = value;
  return [...errorsAt(errors, path), ...Object.entries(members).flatMap(([name, member]) => placed(member, `${path}/${name}`))];
}

function errorsAt(errors: Json, path: string): readonly string[] {
  if (!isObject(errors)) return [];
  return Object.entries(errors).flatMap(([name, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).map((message: Json) => `${path}/${name}: ${String(message)}`),
  );
}
