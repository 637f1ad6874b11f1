// The version of the format that the files of a repository are written in: they have to agree, and older ones mean some things in other ways.
import type { Body, DefinedPipeline, Definitions, FileProblem, ParsedFile } from '../contracts/plugins/config-repo.ts';
import type { Dict } from '../kit/tree/tree.ts';
import { isObject, type JsonObject, type JsonOut } from '../shape/json/json.ts';
import { withBody } from './locate.ts';
import { numberIn } from './model/scalars.ts';
import type { Report } from './report.ts';

const NEWEST_VERSION = 11;
/** That of files of which none declares one. */
export const OLDEST_VERSION = 1;
/** From this version on a job may have no tasks. */
const WITHOUT_TASKS = 11;
const FILLER_TASK = { type: 'exec', attributes: { run_if: ['passed'], command: 'echo', arguments: [] } };

/** The version a file declares; undefined when it is an unknown one, which is reported. `absent`: that of a file that declares none. */
export function declaredVersion(root: Dict, key: string, report: Report, absent?: number): number | undefined {
  const given = root.members.get(key)?.value;
  if (!given) return absent;
  const version = given.kind === 'text' ? numberIn(given.text) : undefined;
  if (version !== undefined && version >= OLDEST_VERSION && version <= NEWEST_VERSION) return version;
  if (version !== undefined && version > NEWEST_VERSION) {
    const message = `'target_version' is ${version} but the Slipway Server supports ${NEWEST_VERSION}`;
    report.problem(given.at, message, { location: 'Plugin response message', hint: `Write format_version: ${NEWEST_VERSION}.` });
  } else {
    const hint = `Write a whole number from ${OLDEST_VERSION} to ${NEWEST_VERSION}.`;
    report.problem(given.at, 'format_version has to be the number of a version', { hint });
  }
  return undefined;
}

/** A file without a version takes that of the others. `speaker`: the plugin that reports that they do not agree. */
export function joinFiles(files: readonly ParsedFile[], speaker: string): Definitions {
  const versions = new Map<number, string>();
  for (const { path, version } of files) if (version !== undefined) versions.getOrInsert(version, path);
  const pipelines = files.flatMap((file) => file.pipelines);
  const isOld = Math.min(WITHOUT_TASKS, ...(versions.size === 0 ? [OLDEST_VERSION] : versions.keys())) < WITHOUT_TASKS;
  return {
    pipelines: isOld ? pipelines.map(withTasks) : pipelines,
    environments: files.flatMap((file) => file.environments),
    problems: [...(versions.size > 1 ? [versionConflict(versions, speaker)] : []), ...files.flatMap((file) => file.problems)],
    warnings: files.flatMap((file) => file.warnings),
  };
}

function versionConflict(versions: ReadonlyMap<number, string>, speaker: string): FileProblem {
  const sorted = [...versions].sort(([one], [other]) => one - other);
  const found = `[${sorted.map(([version]) => version).join(', ')}]`;
  const message = `Versions across files are not unique. Found versions: ${found}. There can only be one version across the whole repository.`;
  const hint = `Write the same format_version into all files: ${sorted.map(([version, file]) => `${file} has ${version}`).join(', ')}.`;
  // The first version that differs from those before it.
  const [, [, file = ''] = []] = [...versions];
  return { file, line: 1, column: 1, entity: undefined, location: speaker, message, hint };
}

export function hasIdleJobs(body: Body): boolean {
  return listIn(body, 'stages').some((stage) => listIn(stage, 'jobs').some(isIdle));
}

function isIdle(job: JsonObject): boolean {
  return listIn(job, 'tasks').length === 0;
}

function withTasks(pipeline: DefinedPipeline): DefinedPipeline {
  if (!pipeline.hasIdleJobs) return pipeline;
  const filled = listIn(pipeline.body, 'stages').map((stage): JsonOut => {
    const jobs = listIn(stage, 'jobs').map((job): JsonOut => (isIdle(job) ? { ...job, tasks: [FILLER_TASK] } : job));
    return { ...stage, jobs };
  });
  return { ...withBody(pipeline, { ...pipeline.body, stages: filled }), hasIdleJobs: false };
}

function listIn(holder: Body, name: string): readonly JsonObject[] {
  const list = holder[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
