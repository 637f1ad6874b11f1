// Files that are checked before they are committed, and the answer of the server.
import { isObject, type Json } from '../api/json.ts';
import type { Mistake } from './config-repo.ts';

export interface PastedFile {
  readonly name: string;
  readonly text: string;
}

export interface Effects {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

export interface PreflightResult {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly problems?: readonly Mistake[];
  readonly warnings?: readonly Mistake[];
  /** null: there are errors. */
  readonly plan?: {
    readonly pipelines: Effects;
    readonly pipeline_groups: Effects;
    readonly environments: Effects;
    readonly scms: Effects;
  } | null;
}

export const PREFLIGHT_VERSION = 1;

/** Either of files that are sent, or of a branch or commit of the repo. */
export function preflightAddress(plugin: string, repo: string, ref?: string): string {
  if (ref !== undefined) return `/api/admin/config_repo_ops/preflight?${new URLSearchParams({ plan: 'true', repoId: repo, ref })}`;
  const query = new URLSearchParams({ pluginId: plugin, plan: 'true', ...(repo !== '' && { repoId: repo }) });
  return `/api/admin/config_repo_ops/preflight?${query}`;
}

export function formOf(files: readonly PastedFile[]): FormData {
  const form = new FormData();
  for (const { name, text } of files) form.append('files[]', new File([text], name));
  return form;
}

/** For a draft of the files. */
export function packFiles(files: readonly PastedFile[]): Json {
  return files.map(({ name, text }) => ({ name, text }));
}

export function filesIn(packed: Json): readonly PastedFile[] {
  if (!Array.isArray(packed)) return [];
  return packed.filter(isObject).map(({ name, text }) => ({ name: String(name), text: String(text) }));
}

/** The effects, as sentences. */
export function effectsText(kind: string, { created, changed, deleted }: Effects): readonly string[] {
  const sentence = (names: readonly string[], verb: string) => (names.length === 0 ? [] : [`${kind} ${verb}: ${names.join(', ')}.`]);
  return [...sentence(created, 'created'), ...sentence(changed, 'changed'), ...sentence(deleted, 'deleted')];
}

export const EXAMPLES: Readonly<Record<string, PastedFile>> = {
  'yaml.config.plugin': {
    name: 'web.gocd.yaml',
    text: `format_version: 11
pipelines:
  web:
    group: shop
    materials:
      code:
        git: https://scm.example.org/web.git
        branch: main
    stages:
      - build:
          tasks:
            - exec: { command: make }
`,
  },
  'json.config.plugin': { name: 'web.gopipeline.json', text: '{}\n' },
};
