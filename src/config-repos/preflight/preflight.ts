// Checks files as if they were the new content of a config repo, and changes nothing.

import type { Draft } from '../../config/draft.ts';
import type { Author } from '../../config/revision.ts';
import type { ConfigRepoPlugin, FileProblem, ParsedFile } from '../../contracts/plugins/config-repo.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import { patternsOf, type RepoConfig } from '../cycle/repo-config.ts';
import { inDisplayOrder, type MergeProblem, type Publication } from '../publish/publication.ts';
import type { Publisher } from '../publish/publisher.ts';
import { nothingMatches, type RepoError, skippedPath } from '../publish/repo-error.ts';
import { type ParseParts, parseAll } from './parse-all.ts';
import { type PublishingPlan, planOf } from './plan.ts';
import type { FilesOfRef } from './read-ref.ts';
import type { SentFiles } from './sent-files.ts';

export interface PreflightOutcome {
  /** The problems of the files. With any problem, nothing further is checked. */
  readonly problems: readonly FileProblem[];
  /** The reasons why their definitions cannot come into force. */
  readonly refusals: readonly MergeProblem[];
  /** About definitions without effect, and files that were passed over. */
  readonly warnings: readonly RepoError[];
  /** undefined: it cannot come into force. */
  readonly plan: PublishingPlan | undefined;
}

export interface PreflightParts extends ParseParts {
  readonly publisher: Publisher;
}

/** No id of a repo can be like this. */
const NEW = 'NEW REPO';
const NO_REVISION = 'preflight';
/** Stands for the repository of a repo that is not configured yet. */
const PLACEHOLDER_MATERIAL = { type: 'git', attributes: { url: 'https://preflight.invalid/new-repo.git', branch: 'master' } };

/** Files that were sent count by their names alone. The rules of a repo that does not exist yet are unknown. */
export async function preflightSent(
  plugin: ConfigRepoPlugin,
  pluginSettings: SettingValues,
  sent: SentFiles,
  repo: RepoConfig | undefined,
  author: Author,
  callerGone: AbortSignal,
  parts: PreflightParts,
): Promise<PreflightOutcome> {
  const { files, problems } = plugin.chooseSent([...sent.keys()], pluginSettings);
  const chosen = files.map((file) => ({ ...file, bytes: sent.get(file.path)! }));
  const parsed = await parseAll(plugin.id, chosen, callerGone, parts);
  const into = { repo: repo?.id ?? NEW, material: repo?.material ?? PLACEHOLDER_MATERIAL, rules: repo?.rules, revision: NO_REVISION };
  return dryPublish(plugin, parsed, { problems, warnings: [] }, into, author, parts);
}

/** A revision of the repo itself is checked as if it were the next one: with the patterns and the rules of the repo. */
export async function preflightRef(
  repo: RepoConfig & { readonly plugin: ConfigRepoPlugin },
  { files, revision, notes }: FilesOfRef,
  author: Author,
  parts: PreflightParts,
): Promise<PreflightOutcome> {
  const { id, material, rules } = repo;
  const warnings = [...(files.length === 0 ? [nothingMatches(patternsOf(repo))] : []), ...notes.map(skippedPath)];
  return dryPublish(repo.plugin, files, { problems: [], warnings }, { repo: id, material, rules, revision }, author, parts);
}

async function dryPublish(
  plugin: ConfigRepoPlugin,
  files: readonly ParsedFile[],
  found: { readonly problems: readonly FileProblem[]; readonly warnings: readonly RepoError[] },
  into: Pick<Publication, 'repo' | 'material' | 'rules' | 'revision'>,
  author: Author,
  { publisher }: PreflightParts,
): Promise<PreflightOutcome> {
  const { pipelines, environments, ...joined } = plugin.join(files);
  const problems = [...found.problems, ...joined.problems];
  const warnings = [...found.warnings, ...joined.warnings];
  if (problems.length > 0) return { problems, refusals: [], warnings, plan: undefined };
  const publication: Publication = {
    ...into,
    source: `preflighted <${into.repo}>`,
    pipelines: inDisplayOrder(pipelines),
    environments,
    isInForce: () => false,
  };
  let decided: Draft | undefined;
  const refusals = await publisher.publish(publication, author, {
    dryRun: true,
    onDecided: (draft) => {
      decided = draft;
    },
  });
  return { problems, refusals, warnings, plan: refusals.length > 0 || !decided ? undefined : planIn(decided) };
}

function planIn(draft: Draft): PublishingPlan {
  const environmentName = (environment: string) => draft.findEntity('environments', environment)?.name ?? environment;
  return planOf(draft.edits, environmentName);
}
