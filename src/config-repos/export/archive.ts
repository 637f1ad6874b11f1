// Many pipelines, and environments, as the files of an archive, made one by one while the client reads it.
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import type { ExportedFile } from '../../contracts/plugins/config-repo.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { type StreamedEntry, zipStream } from '../../kit/zip/zip-stream.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import {
  declaredScmsOf,
  type EnvironmentSource,
  environmentSources,
  exportedEnvironment,
  exportedPipeline,
  exportTag,
} from './exported.ts';
import type { ExportingPlugin } from './exporting-plugin.ts';
import { safeFileName } from './file-name.ts';

/** The content of an archive: the configuration as it was when the request came. */
export interface ArchiveContent {
  readonly pipelines: readonly Entry<EntityNamed<'pipelines'>>[];
  readonly environments: readonly (readonly EnvironmentSource[])[];
}

export const NOT_EXPORTED = 'not-exported.txt';
/** Zip has no earlier time; that of the export would make each archive another one. */
const NO_TIME = new Date('1980-01-01T00:00:00Z');

/** Rights to a group are no rights to environments. Of a past configuration, the user may be allowed to see only some pipelines. */
export function contentOfGroup(
  group: string,
  config: Config,
  isShown: (pipeline: Entry<EntityNamed<'pipelines'>>) => boolean,
): ArchiveContent {
  const pipelines = config.of('pipelines');
  const inGroup = new Draft(config).referrers('pipelineGroups', group).filter(({ kind }) => kind === 'pipelines');
  return { pipelines: inGroup.flatMap(({ id }) => pipelines.find(id) ?? []).filter(isShown), environments: [] };
}

export function wholeContent(plugin: ExportingPlugin, config: Config): ArchiveContent {
  const environments = plugin.exportEnvironment ? [...config.of('environments').all()] : [];
  return {
    pipelines: [...config.of('pipelines').all()],
    environments: environments.map((environment) => environmentSources(environment, config)),
  };
}

export function archiveTag(plugin: ExportingPlugin, { pipelines, environments }: ArchiveContent, config: Config): string {
  const scms = new Set(pipelines.flatMap((pipeline) => declaredScmsOf(pipeline, config)));
  return exportTag(plugin, [...pipelines, ...environments.flat().map(({ entry }) => entry), ...scms]);
}

export function archiveOf(plugin: ExportingPlugin, content: ArchiveContent, config: Config, cipher: Cipher): AsyncGenerator<Buffer, void> {
  return zipStream(filesOf(plugin, content, config, cipher), NO_TIME);
}

/** An entity that a plugin cannot write does not keep the rest from being written. */
async function* filesOf(
  plugin: ExportingPlugin,
  { pipelines, environments }: ArchiveContent,
  config: Config,
  cipher: Cipher,
): AsyncGenerator<StreamedEntry, void> {
  const options = { isBesideIdleJobs: pipelines.some(hasIdleJob) };
  const failures: string[] = [];
  const tried = async (what: string, folder: string, file: Promise<ExportedFile>): Promise<StreamedEntry[]> => {
    await pause();
    try {
      const { name, text } = await file;
      return [{ name: `${folder}/${name}`, content: text }];
    } catch (failure) {
      failures.push(`${what}: ${failure instanceof Error ? failure.message : String(failure)}\n`);
      return [];
    }
  };
  for (const entry of pipelines) {
    const folder = `pipelines/${safeFileName(entry.value.group)}`;
    yield* await tried(`pipeline ${entry.value.name}`, folder, exportedPipeline(plugin, entry, config, cipher, options));
  }
  for (const sources of environments) {
    const what = `environment ${String(sources[0]!.body.name)}`;
    yield* await tried(
      what,
      'environments',
      exportedEnvironment((body) => plugin.exportEnvironment!(body, options), sources),
    );
  }
  if (failures.length > 0) yield { name: NOT_EXPORTED, content: failures.join('') };
}

function hasIdleJob({ value: { stages } }: Entry<EntityNamed<'pipelines'>>): boolean {
  return (stages ?? []).some(({ jobs }) => jobs.some(({ tasks }) => tasks.length === 0));
}
