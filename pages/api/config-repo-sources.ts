// Where in the files of a config repo something is defined, for users who may see the repo.
import { path } from './address.ts';
import { useApi } from './queries.ts';

const SOURCES_VERSION = 1;
const REPOS_VERSION = 4;

export interface Source {
  readonly name: string;
  readonly file: string;
  /** null: the file has changed since, and that is not in force. */
  readonly line: number | null;
}

interface SourcesAnswer {
  readonly revision: string | null;
  readonly pipelines: readonly Source[];
  readonly environments: readonly Source[];
}

export interface RepoSources extends SourcesAnswer {
  readonly revision: string;
  /** The address of the repository. */
  readonly repository: string;
}

interface RepoAnswer {
  readonly material: { readonly attributes: { readonly url?: string; readonly port?: string | null } };
}

/** Undefined: not known yet, nothing in force, or the user may not see it. With the name of a pipeline, only of that one. */
export function useRepoSources(repo: string, pipeline?: string): RepoSources | undefined {
  const of = path`/api/admin/config_repos/${repo}`;
  const query = pipeline === undefined ? '' : `?${new URLSearchParams({ pipeline })}`;
  const changedBy = { changedBy: ({ kind }: { readonly kind: string }) => kind === 'config' };
  const sources = useApi<SourcesAnswer>(`${of}/sources${query}`, SOURCES_VERSION, changedBy).data;
  const found = useApi<RepoAnswer>(of, REPOS_VERSION, changedBy).data;
  if (sources === undefined || found === undefined || sources.revision === null) return undefined;
  const { url, port } = found.material.attributes;
  return { ...sources, revision: sources.revision, repository: url ?? port ?? '' };
}
