// Counters in paths.
import { Refusal } from '../../../kit/refusal.ts';

const INTEGER = /^[+-]?\d{1,15}$/;

/** `what`: `pipeline` or `stage`. */
export function counterIn(text: string, name: string): number {
  if (!INTEGER.test(text)) throw new Refusal('invalid', `The ${name} counter should be an integer.`);
  if (Number(text) < 1) throw new Refusal('invalid', `The ${name} counter cannot be less than 1.`);
  return Number(text);
}

/** As the routes of jobs say it. */
export function positiveIn(text: string, parameter: string): number {
  if (INTEGER.test(text) && Number(text) >= 1) return Number(text);
  throw new Refusal('malformed', `The params '${parameter}' must be a number greater than 0.`);
}
