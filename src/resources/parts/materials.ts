// Repositories in entities of the configuration: their attributes, their problems, and which are the same.
import { shownUrl, urlIdentity } from '../../materials/types/attributes/url.ts';
import { ofEachType, type RepositoryType, type RepositoryTypes, repositoryDefinition } from '../../materials/types/list.ts';
import type { EntityOf } from '../../shape/field.ts';
import { flag } from '../../shape/fields.ts';
import { type Path, type Problem, problemUnless } from '../../shape/problems/problem.ts';

/** The labels of the types of repositories. */
export const REPOSITORY_LABELS = ofEachType<Record<RepositoryType, string>>(({ title }) => title);

export const autoUpdate = flag(true, { label: 'Poll for changes', description: 'Whether to poll for changes regularly.' });

/** The type and attributes that identify a repository, without the other settings of its owner. */
export type Repository = {
  [T in RepositoryType]: { readonly type: T; readonly attributes: EntityOf<RepositoryTypes[T]['fields']> };
}[RepositoryType];

/** In a pipeline, whose parameters are replaced, `##` has become the `#` it stands for. */
export function repositoryProblems({ type, attributes }: Repository, at: Path, branchMark: '##' | '#' = '##'): Problem[] {
  return repositoryDefinition(type).problems(attributes, (holds, key, message) => problemUnless(holds, [...at, key], message), branchMark);
}

/** Equal for two of the same repository. Not the fingerprint that clients see: that one needs the clear address. */
export function repositoryIdentity({ type, attributes }: Repository): string {
  const address = 'url' in attributes ? { url: urlIdentity(attributes.url) } : {};
  return JSON.stringify(repositoryDefinition(type).identity({ ...attributes, ...address }));
}

/** The address of the repository in messages. */
export function shownRepository({ attributes }: Repository): string {
  return 'url' in attributes ? shownUrl(attributes.url) : (attributes.port ?? '');
}
