// Reading bodies that hold no secrets.
import { Refusal } from '../../kit/refusal.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import { type JsonCursor, type Reading, readNeeded, readObject, readText } from '../../shape/json/reading.ts';
import type { Problem } from '../../shape/problems/problem.ts';

export function plainReading(problems: Problem[]): Reading {
  return {
    problems,
    seal: never,
    unseal: never,
    peek: never,
    mayKeep: never,
    isStored: never,
    isSecretSetting: () => undefined,
    isStoredSetting: () => false,
    secrets: { show: never, open: never },
  };
}

/** A text that a body must have. */
export function neededText(body: JsonObject, name: string): string {
  return needed(body, name, readText) ?? '';
}

/** An object that a body must have. */
export function neededObject(body: JsonObject, name: string): JsonObject {
  return needed(body, name, readObject) ?? {};
}

function needed<T>(holder: JsonObject, name: string, read: (cursor: JsonCursor, name: string) => T | undefined): T | undefined {
  const problems: Problem[] = [];
  const value = readNeeded({ holder, path: [], reading: plainReading(problems) }, name, read);
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  return value;
}

function never(): never {
  throw new Error('There are no secrets to be read here.');
}
