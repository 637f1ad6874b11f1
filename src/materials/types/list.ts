// The types of repositories that the server polls. A new one is a folder beside these and a line here.
import { git } from './git/definition.ts';
import { hg } from './hg/definition.ts';
import { p4 } from './p4/definition.ts';
import type { RepositoryDefinition } from './repository-definition.ts';
import { svn } from './svn/definition.ts';
import { tfs } from './tfs/definition.ts';

export const REPOSITORY_TYPES = { git, hg, svn, p4, tfs };

export type RepositoryTypes = typeof REPOSITORY_TYPES;
export type RepositoryType = keyof RepositoryTypes;

export function isRepositoryType(type: string): type is RepositoryType {
  return Object.hasOwn(REPOSITORY_TYPES, type);
}

/** With the type that all definitions have in common. */
export function repositoryDefinition(type: RepositoryType): RepositoryDefinition {
  return REPOSITORY_TYPES[type];
}

/** Undefined: it is no type of repository. */
export function findRepositoryDefinition(type: string): RepositoryDefinition | undefined {
  return isRepositoryType(type) ? repositoryDefinition(type) : undefined;
}

export function repositoryDefinitions(): [type: RepositoryType, definition: RepositoryDefinition][] {
  return Object.entries(REPOSITORY_TYPES) as [RepositoryType, RepositoryDefinition][];
}

/** An object with one value for each type, made from its definition. */
export function ofEachType<R extends Record<RepositoryType, unknown>>(
  make: (definition: RepositoryDefinition, type: RepositoryType) => unknown,
): R {
  return Object.fromEntries(repositoryDefinitions().map(([type, definition]) => [type, make(definition, type)])) as R;
}
