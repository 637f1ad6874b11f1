// The definitions that a config repo wants to be in force, and the problems that prevent it.
import type { DefinedEnvironment, DefinedPipeline } from '../../contracts/plugins/config-repo.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import type { RepoError } from './repo-error.ts';
import type { Rule } from './rules.ts';

export interface Publication {
  readonly repo: string;
  readonly revision: string;
  /** A label that shows people where the definitions come from. */
  readonly source: string;
  readonly pipelines: readonly DefinedPipeline[];
  readonly environments: readonly DefinedEnvironment[];
  /**
   * Whether this file is in force unchanged, and was allowed by the same rules: it is not read again. Its definitions
   * need not be listed, and their bodies may be empty.
   */
  isInForce(file: string): boolean;
  /** The material of the repo itself, in the form of documents. */
  readonly material: JsonObject;
  /** Undefined: everything may be referred to. */
  readonly rules: readonly Rule[] | undefined;
  /** The repo as it was configured when this was made: under another one it must not come into force. Undefined: there is no such repo. */
  readonly etag?: string;
  /** The published revision as it was when files were taken for being in force; undefined: none were. */
  readonly inForceEtag?: string | undefined;
}

/** The repo is configured in another way by now, or was removed, or its definitions in force were. */
export class SupersededPublication extends Error {}

/** Why definitions do not come into force. */
export interface MergeProblem {
  readonly message: string;
  readonly isRule: boolean;
  /** Where it can be corrected; undefined: not in this repo. A removed definition has no line. */
  readonly definedAt: { readonly file: string; readonly line?: number; readonly column?: number; readonly entity: string } | undefined;
  /** Absent: the message is enough for a hint, see `hintFor`. */
  readonly hint?: string;
}

/** In the form in which all mistakes are reported. */
export function asRepoError({ message, definedAt, hint }: MergeProblem): RepoError {
  return { message, ...definedAt, hint };
}

/** As they are shown in their groups. */
export function inDisplayOrder(pipelines: readonly DefinedPipeline[]): readonly DefinedPipeline[] {
  return pipelines.toSorted((one, other) => one.displayOrder - other.displayOrder);
}

export function sourceName(shownRepository: string, revision: string): string {
  return `${shownRepository} at revision ${revision}`;
}
