// Reads the bodies of requests about users, or refuses those that cannot be read.
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { missing, readFlag, readObject, readText, readTexts } from '../../../shape/json/reading.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { plainReading } from '../../engine/plain-reading.ts';

export function loginIn(body: JsonObject): string {
  return strictly(body, (place) => readText(place, 'login_name') ?? missing(place, 'login_name') ?? '');
}

export function loginsIn(body: JsonObject): readonly string[] {
  const logins = strictly(body, (place) => readTexts(place, 'users') ?? []);
  if (logins.length === 0) throw new Refusal('malformed', 'No users selected.');
  return logins;
}

/** Whether the user is to be enabled; undefined: the body leaves that as it is. */
export function enabledIn(body: JsonObject): boolean | undefined {
  return strictly(body, (place) => readFlag(place, 'enabled'));
}

export function stateIn(body: JsonObject): boolean {
  return strictly(body, (place) => {
    const operations = readObject(place, 'operations') ?? missing(place, 'operations') ?? {};
    const inner = { ...place, holder: operations, path: ['operations'] };
    return readFlag(inner, 'enable') ?? missing(inner, 'enable') ?? false;
  });
}

/** Reads, or refuses with the first thing that cannot be read. */
function strictly<T>(
  body: JsonObject,
  read: (place: { holder: JsonObject; path: string[]; reading: ReturnType<typeof plainReading> }) => T,
): T {
  const problems: Problem[] = [];
  const value = read({ holder: body, path: [], reading: plainReading(problems) });
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  return value;
}
