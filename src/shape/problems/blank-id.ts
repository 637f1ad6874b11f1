// The problem of an entity that is sent without its name or id.
import { snakeCase } from '../json/json.ts';
import type { Kind } from '../resource.ts';
import { type Problem, problemUnless } from './problem.ts';

export function blankIdProblems(kind: Kind, id: string): Problem[] {
  if (kind.shape === 'singleton') return [];
  const at = snakeCase(kind.id);
  return problemUnless(id.trim() !== '', at, kind.messages.blankId?.beside ?? `${kind.title} must have a ${at.replaceAll('_', ' ')}.`);
}
