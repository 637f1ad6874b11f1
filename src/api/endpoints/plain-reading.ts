// Reading bodies that hold no secrets.
import type { Problem } from '../../shape/problem.ts';
import type { Reading } from '../../shape/reading.ts';

export function plainReading(problems: Problem[]): Reading {
  return { problems, seal: never, reseal: never, isStored: never, isSecretSetting: () => undefined, isStoredSetting: () => false };
}

function never(): never {
  throw new Error('There are no secrets to be read here.');
}
