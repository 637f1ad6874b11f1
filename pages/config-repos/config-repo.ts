// Config repos as the API gives them, and the state of each.
import type { AnswerOf, ListItem } from '../api/answers.ts';
import type { Setting } from '../forms/edit/setting.ts';
import type { Material } from '../forms/materials/material.ts';
import type { StatusName } from '../kit/status.tsx';

export const REPOS_ADDRESS = '/api/admin/config_repos';
export const REPOS_VERSION = 4;
/** The address of all config repos with their state. */
export const STATES_ADDRESS = '/api/internal/config_repos';
export const PARSES_VERSION = 1;

export interface Rule {
  readonly directive: string;
  readonly action: string;
  readonly type: string;
  readonly resource: string;
}

export interface ConfigRepo {
  readonly id: string;
  readonly plugin_id: string;
  readonly material: Material;
  readonly configuration: readonly Setting[];
  readonly rules: readonly Rule[];
}

export interface Modification {
  readonly username: string | null;
  readonly revision: string;
  readonly comment: string | null;
  readonly modified_time: string;
}

export interface RepoState extends ConfigRepo {
  readonly material_update_in_progress: boolean;
  /** Empty: nothing was read yet. */
  readonly parse_info: {
    readonly latest_parsed_modification?: Modification | null;
    readonly good_modification?: Modification | null;
    readonly error?: string | null;
  };
}

export interface RepoStates {
  readonly _embedded: { readonly config_repos: readonly RepoState[] };
  readonly auto_completion: readonly { readonly key: string; readonly value: readonly string[] }[];
}

type ParsesOperation = 'GET /api/admin/config_repos/{id}/parses';
export type ParsesAnswer = AnswerOf<ParsesOperation>;
export type Parse = ListItem<ParsesOperation, 'parses'>;
/** A mistake in a file. */
export type Mistake = Parse['errors'][number];
export type Definitions = AnswerOf<'GET /api/admin/config_repos/{id}/definitions'>;

export interface StateText {
  readonly icon: StatusName;
  readonly word: string;
}

export function stateOf({ material_update_in_progress: isUpdating, parse_info: info }: RepoState): StateText {
  if (isUpdating) return { icon: 'building', word: 'Updating' };
  if (info.error) return { icon: 'failed', word: 'Failed' };
  if (info.good_modification) return { icon: 'passed', word: 'Up to date' };
  return { icon: 'waiting', word: 'Not read yet' };
}

export const OUTCOMES: Readonly<Record<Parse['outcome'], StateText>> = {
  published: { icon: 'passed', word: 'In effect' },
  no_files: { icon: 'cancelled', word: 'No files' },
  unread: { icon: 'failed', word: 'Not reached' },
  unparsed: { icon: 'failed', word: 'Not understood' },
  refused: { icon: 'failed', word: 'Refused' },
};

/** The place of a mistake: `ci/web.gocd.yaml:3:7`. */
export function locationText({ file, line, column }: Mistake): string {
  return [file, line, column].filter((part) => part !== null).join(':');
}

/** The address of a repository of any type. */
export function addressIn({ attributes: { url, port, branch } }: Material): string {
  return [url ?? port ?? '', branch].filter(Boolean).join(' ');
}

export function shownRepos(repos: readonly RepoState[], search: string): RepoState[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = (repo: RepoState) => [repo.id, addressIn(repo.material), stateOf(repo).word, repo.plugin_id].join('\n').toLowerCase();
  return repos
    .filter((repo) => words.every((word) => textOf(repo).includes(word)))
    .toSorted(
      (one, other) => Number(Boolean(other.parse_info.error)) - Number(Boolean(one.parse_info.error)) || (one.id < other.id ? -1 : 1),
    );
}

/** The services whose calls the server understands, with the address for each. */
export const WEBHOOK_PROVIDERS = [
  { provider: 'github', title: 'GitHub' },
  { provider: 'gitlab', title: 'GitLab' },
  { provider: 'bitbucket', title: 'Bitbucket Cloud' },
  { provider: 'hosted_bitbucket', title: 'Bitbucket Data Center' },
] as const;

export const NEW_REPO: ConfigRepo = {
  id: '',
  plugin_id: 'yaml.config.plugin',
  material: { type: 'git', attributes: { url: '', branch: 'main', auto_update: true } },
  configuration: [],
  rules: [{ directive: 'allow', action: 'refer', type: 'pipeline_group', resource: '*' }],
};
