// The sentences every resource says, made from the few words in which they differ.
import type { NamedEntity } from '../configuration.ts';
import type { Problem } from './problem.ts';

export type Operation = 'create' | 'update' | 'delete';

/** An entity that uses the one in question. */
export interface Dependent extends NamedEntity {
  /** The entities through which it may use others. */
  readonly through: readonly NamedEntity[];
}

export interface Messages {
  notFound(id: string): string;
  duplicate(id: string): string;
  /** Said beside the id of a duplicate. */
  duplicateId?(id: string): string;
  /** Said when a configuration file has two of that id. */
  duplicateInFile?(id: string): string;
  blankId?: { readonly message: string; readonly beside: string };
  renamed: string;
  stale(id: string): string;
  deleted(id: string): string;
  inUse(id: string, users: readonly Dependent[]): string;
  invalid(id: string, problems: readonly Problem[], operation: Operation): string;
}

export interface MessageNouns {
  /** `artifact store` */
  readonly entity: string;
  /** The field that identifies one: `id`, `name`, `login name`. */
  readonly by: string;
  /** The word in messages about duplicates, renames and stale copies: `artifactStore`. */
  readonly short: string;
  /** The word in "Validations failed for …". */
  readonly tag: string;
}

export function messagesOf({ entity, by, short, tag }: MessageNouns): Messages {
  const named = (id: string) => `${capitalised(entity)} with ${by} '${id}'`;
  const failed = (id: string, errors: string) =>
    `Validations failed for ${tag} '${id}'. Error(s): [${errors}]. Please correct and resubmit.`;
  return {
    notFound: (id) => `${named(id)} was not found!`,
    duplicate: (id) => `Failed to add ${short} '${id}'. Another ${short} with the same name already exists.`,
    renamed: `Renaming of ${short} is not supported by this API.`,
    stale: (id) =>
      `Someone has modified the configuration for ${short} '${id}'. Please update your copy of the config with the changes and try again.`,
    deleted: (id) => `${named(id)} was deleted successfully!`,
    inUse: (id, users) => failed(id, `The ${entity} '${id}' is being referenced by: ${idsOf(users)}.`),
    invalid: (id) => failed(id, 'Validation failed.'),
  };
}

export const STALE_ENTITY = 'Someone has modified the entity. Please update your copy with the changes and try again.';

export function singletonMessages(entity: string, { isPlural = false } = {}): Messages {
  const [was, has, is] = isPlural ? ['were', 'have', 'are'] : ['was', 'has', 'is'];
  return {
    notFound: () => `${entity} ${was} not found!`,
    duplicate: () => `${entity} ${has} been set already.`,
    renamed: '',
    stale: () => STALE_ENTITY,
    deleted: () => `${entity} ${was} deleted successfully!`,
    inUse: (_, users) => `${entity} ${is} used by: ${idsOf(users)}.`,
    invalid: () => 'Validation failed.',
  };
}

export function idsOf(users: readonly Dependent[]): string {
  return users.map((user) => user.id).join(', ');
}

/** The texts of all problems, each once. */
export function joined(problems: readonly Problem[]): string {
  return [...new Set(problems.map((problem) => problem.message))].join(', ');
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
