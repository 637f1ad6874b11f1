// Reading bodies that hold no secrets.
import { Refusal } from '../../kit/refusal.ts';
import type { JsonObject } from '../../shape/json.ts';
import type { Problem } from '../../shape/problem.ts';
import { type Reading, readNeeded, readText } from '../../shape/reading.ts';

export function plainReading(problems: Problem[]): Reading {
  return { problems, seal: never, reseal: never, isStored: never, isSecretSetting: () => undefined, isStoredSetting: () => false };
}

/** A text that a body must have. */
export function neededText(body: JsonObject, name: string): string {
  const problems: Problem[] = [];
  const text = readNeeded({ holder: body, path: [], reading: plainReading(problems) }, name, readText);
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  return text ?? '';
}

function never(): never {
  throw new Error('There are no secrets to be read here.');
}
