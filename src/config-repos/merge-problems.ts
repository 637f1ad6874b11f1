// What the checks of the configuration found wrong with a publication, in words for the authors of its files, and with their lines.
import type { Finding } from '../config/check-all.ts';
import type { Config } from '../config/current.ts';
import type { Unacceptable } from '../config/large-change.ts';
import { remoteOrigin } from '../config/remote.ts';
import type { DefinedEnvironment, DefinedPipeline } from '../contracts/plugins/config-repo.ts';
import { slices } from '../kit/slices.ts';
import type { Path } from '../shape/problem.ts';
import { declaredScms } from './materials-of-repo.ts';
import { partId } from './place.ts';
import type { MergeProblem, Publication } from './publication.ts';
import type { StandIns } from './stand-ins.ts';

/** Finds the line of a value in its file. */
export type Locate = (
  defined: DefinedPipeline | DefinedEnvironment,
  path: readonly (string | number)[],
) => { readonly line: number; readonly column: number };

interface Definition {
  readonly defined: DefinedPipeline | DefinedEnvironment;
  readonly word: 'pipeline' | 'environment';
  /** Of what is only brought along: where in the definition it is named. */
  readonly at?: Path;
}

type Definitions = ReadonlyMap<string, Definition>;

const WORDS: Readonly<Record<string, string>> = {
  pipelines: 'pipeline',
  environments: 'environment',
  environmentParts: 'environment',
  pipelineGroups: 'pipeline group',
  scms: 'SCM',
};

/** In slices: a mistake in a template that thousands use is thousands of problems, and the place of each is looked for. */
export async function mergeProblems(
  { findings, conditions }: Pick<Unacceptable, 'findings' | 'conditions'>,
  publication: Publication,
  standIns: StandIns,
  parts: { readonly config: Config; readonly locate: Locate },
): Promise<MergeProblem[]> {
  const pause = slices();
  const own = definitionsByName(publication, standIns);
  const found = new Map<string, MergeProblem>();
  const add = (problem: MergeProblem) => found.getOrInsert(JSON.stringify([problem.message, problem.place]), problem);
  for (const finding of findings) {
    for (const { at, message } of finding.problems)
      add({ message: standIns.inTheirWords(message), isRule: false, ...whereToCorrect(finding, at, own, parts) });
    await pause();
  }
  for (const message of conditions) add({ message: standIns.inTheirWords(message), isRule: false, place: undefined });
  return [...found.values()];
}

function whereToCorrect(
  { kind, id, because }: Finding,
  at: Path,
  own: Definitions,
  { config, locate }: { readonly config: Config; readonly locate: Locate },
): Pick<MergeProblem, 'place' | 'hint'> {
  const definition = own.get(nameOf(kind.name, id));
  if (definition) return { place: placeOf(definition, at, locate) };
  if (!because) return { place: undefined };
  // Somebody else cannot be without what this repo has changed or removed.
  const cause = own.get(nameOf(because.kind.name, because.id));
  const origin = remoteOrigin(config.of(because.kind.name).find(because.id)?.value ?? {});
  const entity = named(because.kind.name, because.id);
  const place = cause ? placeOf(cause, [], locate) : origin && { file: origin.file, entity };
  return { place, hint: neededHint(entity, whoIs(kind.name, id, config)) };
}

function neededHint(entity: string, needing: string): string {
  return `Let ${needing} do without it first, or leave ${entity} as it was.`;
}

/** With the repo and the file, if it is defined in one. */
function whoIs(kind: string, id: string, config: Config): string {
  const origin = remoteOrigin(config.of(kind).find(id)?.value ?? {});
  return `${named(kind, id)}${origin ? ` in ${origin.file} of the config repo '${origin.repo}'` : ''}`;
}

function named(kind: string, id: string): string {
  return `${WORDS[kind] ?? 'the entity'} '${kind === 'environmentParts' ? id.slice(id.indexOf('/') + 1) : id}'`;
}

function placeOf({ defined, word, at: brought }: Definition, at: Path, locate: Locate): MergeProblem['place'] {
  return { file: defined.file, ...locate(defined, brought ?? at), entity: `${word} '${defined.name}'` };
}

/** What comes first is overruled by what comes later: a group is where the first pipeline of it stands, and names that are free win over others. */
function definitionsByName({ repo, pipelines, environments }: Publication, standIns: StandIns): Definitions {
  const ofPipelines = pipelines.toReversed();
  const pipeline = (defined: DefinedPipeline, at?: Path) => ({ defined, word: 'pipeline', ...(at && { at }) }) as const;
  const environment = (defined: DefinedEnvironment, at?: Path) => ({ defined, word: 'environment', ...(at && { at }) }) as const;
  return new Map<string, Definition>([
    ...ofPipelines.map((defined) => [nameOf('pipelineGroups', defined.group), pipeline(defined, ['group'])] as const),
    ...ofPipelines.flatMap((defined) =>
      declaredScms(repo, defined.body).map(({ id, at }) => [nameOf('scms', id), pipeline(defined, at)] as const),
    ),
    ...environments.map((defined) => [nameOf('environments', defined.name), environment(defined, ['name'])] as const),
    ...Array.from(standIns.all, ([name, defined]) => [nameOf('pipelines', name), pipeline(defined)] as const),
    ...pipelines.map((defined) => [nameOf('pipelines', defined.name), pipeline(defined)] as const),
    ...environments.map((defined) => [nameOf('environmentParts', partId(repo, defined.name)), environment(defined)] as const),
  ]);
}

function nameOf(kind: string, id: string): string {
  return `${kind}\n${id.toLowerCase()}`;
}
