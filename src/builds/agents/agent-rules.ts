// The rules for the names and the resources of agents.
import { hasInvisibleCharacter } from '../../kit/text/invisible-characters.ts';

export const MAX_TEXT_LENGTH = 255;
export const MAX_NAMES = 100;
/** What resources of agents may be, as the resources that jobs require. */
const RESOURCE = /^[-\w\s|.]*$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const NO_RESOURCES = 'Elastic agents cannot have resources.';

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Undefined: it can be used. */
export function textProblem(text: string, name: string, maxLength = MAX_TEXT_LENGTH): string | undefined {
  if (text.trim() === '') return `\`${name}\` must not be blank.`;
  if (text.length > maxLength) return `\`${name}\` must not be longer than ${maxLength} characters.`;
  return hasInvisibleCharacter(text) ? `\`${name}\` must not hold control characters or invisible ones.` : undefined;
}

export function resourceProblem(resource: string): string | undefined {
  if (resource === '') return 'Resource name must not be blank.';
  if (resource.length > MAX_TEXT_LENGTH) return `Resource name must not be longer than ${MAX_TEXT_LENGTH} characters.`;
  const isValid = RESOURCE.test(resource) && !hasInvisibleCharacter(resource);
  return isValid ? undefined : `Resource name '${resource}' is not valid. Valid names much match '^[-\\w\\s|.]*$'`;
}

/** Each name once, regardless of letter case, in the order of first appearance; blanks around names do not count. */
export function distinctNames(names: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const name of names) {
    const trimmed = name.trim();
    if (!known.has(trimmed.toLowerCase())) known.set(trimmed.toLowerCase(), trimmed);
  }
  return [...known.values()];
}

export function without(names: readonly string[], removed: readonly string[]): string[] {
  const gone = new Set(removed.map((name) => name.trim().toLowerCase()));
  return names.filter((name) => !gone.has(name.toLowerCase()));
}
