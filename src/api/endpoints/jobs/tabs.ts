// The tabs of a job: files among its artifacts that its configuration names, each with its address once it is published.
import { pathProblem, plainPath } from '../../../artifacts/paths.ts';
import { keyOfName } from '../../../builds/configured.ts';
import { configuredJobOf } from '../../../builds/jobs/instance-names.ts';
import type { ShownJob } from '../../../builds/runs/shown-stages.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { encodedPath } from '../common/encoded-path.ts';
import type { BuildRouteParts } from '../runs/parts.ts';

type Parts = Pick<BuildRouteParts, 'config' | 'tables'>;

/** As they are configured now, as GoCD does it: a tab can be added for artifacts of earlier builds. */
export async function tabsJson({ config, tables }: Parts, shown: ShownJob, base: string): Promise<JsonOut[]> {
  const { job, run, stageRun } = shown;
  const stage = config.stagesOf(run.pipeline)?.find(({ name }) => keyOfName(name) === stageRun.stage_key);
  const tabs = configuredJobOf(job.name, stage?.jobs ?? [])?.tabs ?? [];
  const paths = tabs.map(({ path }) => plainPath(path)).filter((path) => pathProblem(path) === undefined);
  // One that was not run again has everything where it ran, and is asked for under its own name.
  const published = new Set((await tables.artifacts.findAll(job.original_id ?? job.id, paths)).map(({ path }) => path));
  const folder = [run.pipeline, run.counter, stageRun.stage, stageRun.counter, job.name].join('/');
  return tabs.map(({ name, path }) => {
    const file = plainPath(path);
    return { name, path, url: published.has(file) ? `${base}/files/${encodedPath(`${folder}/${file}`)}` : null };
  });
}
