// Pipelines and environments of the configuration as files of a config repo.
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { Body, ExportedFile, ExportOptions } from '../../contracts/plugins/config-repo.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import { writeSealed } from '../../shape/json/entity-json.ts';
import type { Json, JsonObject } from '../../shape/json/json.ts';
import { pipelineGroupScope } from '../../shape/secrets/secret-scope.ts';
import { scopedWriter } from '../../shape/secrets/secret-writer.ts';
import { scmIdsOf } from '../scms/scm-declarers.ts';
import type { ExportingPlugin } from './exporting-plugin.ts';
import { safeFileName } from './file-name.ts';
import { asInFile, isDeclared } from './materials-in-file.ts';

/** Depends on everything that decides the content of the file. */
export function exportTag({ id, version }: ExportingPlugin, entries: readonly Entry[]): string {
  return sha256(JSON.stringify([FORM, id, version, entries.map(({ key, etag }) => [key, etag])]));
}

/** Grows when something else is written of the same entities. */
const FORM = 2;

export async function exportedPipeline(
  plugin: ExportingPlugin,
  entry: Entry<EntityNamed<'pipelines'>>,
  config: Config,
  cipher: Cipher,
  options?: ExportOptions,
  scms: readonly Entry<EntityNamed<'scms'>>[] = declaredScmsOf(entry, config),
): Promise<ExportedFile> {
  const origin = repoOriginOf(entry.value);
  // Users who may export the pipeline administer its group, so its secrets are encrypted for that group.
  const secrets = scopedWriter(cipher, pipelineGroupScope(entry.value.group));
  const pipeline = asInFile(writeSealed(config.of('pipelines').kind, entry.value, secrets), scms, config.of('scms').kind, origin, secrets);
  return named(await plugin.exportPipeline(pipeline, { ...options, displayOrder: origin?.order }));
}

/** The SCMs that the file of a pipeline declares. */
export function declaredScmsOf(pipeline: Entry<EntityNamed<'pipelines'>>, config: Config): readonly Entry<EntityNamed<'scms'>>[] {
  return scmIdsOf(pipeline.value)
    .map((id) => config.of('scms').find(id))
    .filter(isDeclared);
}

/** As all its sources together say it. */
export async function exportedEnvironment(
  exportEnvironment: (environment: Body) => ExportedFile | Promise<ExportedFile>,
  sources: readonly EnvironmentSource[],
): Promise<ExportedFile> {
  const [own] = sources;
  const united = (member: string) => sources.flatMap(({ body }) => (body[member] as readonly Json[] | undefined) ?? []);
  const environment: Body = {
    name: own!.body.name!,
    pipelines: united('pipelines'),
    environment_variables: united('environment_variables'),
    agents: united('agents'),
  };
  return named(await exportEnvironment(environment));
}

export interface EnvironmentSource {
  readonly entry: Entry;
  readonly body: JsonObject;
}

/** The definition of an environment by the server's own configuration, followed by those of config repos. */
export function environmentSources(environment: Entry<EntityNamed<'environments'>>, config: Config): readonly EnvironmentSource[] {
  const { kind } = config.of('environments');
  const parts = config.of('environmentParts');
  const ofRepos = new Draft(config)
    .referrers('environments', environment.key)
    .flatMap((referrer) => (referrer.kind === 'environmentParts' ? (parts.find(referrer.id) ?? []) : []))
    .sort(({ key: one }, { key: other }) => (one < other ? -1 : 1));
  return [
    { entry: environment, body: writeSealed(kind, environment.value) },
    ...ofRepos.map((entry) => ({ entry, body: writeSealed(parts.kind, entry.value) })),
  ];
}

/** A plugin may give a file any name. */
function named(file: ExportedFile): ExportedFile {
  return { ...file, name: safeFileName(file.name) };
}
