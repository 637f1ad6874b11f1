// Export: pipelines and environments as files for a config repo.
import { Readable } from 'node:stream';
import type { Identity } from '../../../access/identity.ts';
import type { Config } from '../../../config/current.ts';
import type { Entry } from '../../../config/entry.ts';
import { type ArchiveContent, archiveOf, archiveTag, contentOfGroup, wholeContent } from '../../../config-repos/export/archive.ts';
import { declaredScmsOf, exportedPipeline, exportTag } from '../../../config-repos/export/exported.ts';
import { canExport, type ExportingPlugin } from '../../../config-repos/export/exporting-plugin.ts';
import { safeFileName } from '../../../config-repos/export/file-name.ts';
import { isDeclared } from '../../../config-repos/export/materials-in-file.ts';
import { scmIdsOf } from '../../../config-repos/scms/scm-declarers.ts';
import type { ConfigRepoPlugin, FileFormat } from '../../../contracts/plugins/config-repo.ts';
import type { Cipher } from '../../../kit/bytes/cipher.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import { writeSealed } from '../../../shape/json/entity-json.ts';
import { exampleOf } from '../../engine/answer-example.ts';
import { atAnyTime, entryAt, fromConfig } from '../../engine/at-time.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import { subjectNamed } from '../../engine/guards.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import type { Answer, ApiRequest, Route } from '../../engine/route.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';
import { missingParameter } from '../preflight/docs.ts';
import { archiveDescription, cannotExport, fileDescription, notAConfigRepoPlugin, PLUGIN_PARAMETER, ZIP } from './docs.ts';

interface Parts extends ResourceParts {
  readonly plugins: { configRepo(id: string): ConfigRepoPlugin | undefined };
  /** Writes the examples. */
  readonly examplePlugin: Pick<FileFormat, 'exportPipeline'>;
}

const PATH = '/api/admin/export';
const UNKNOWN = 'unknown';

/** Clients can also ask for the file by its own media type. */
export function exportRoutes(parts: Parts): Route[] {
  return routesOf(parts).flatMap((route) => [route, { ...route, version: null, media: route.description.type! }]);
}

function routesOf(parts: Parts): Route[] {
  const { access, config, tools, plugins, examplePlugin } = parts;
  const pipelines = config.of('pipelines');
  const scms = config.of('scms');
  const groups = config.kind('pipelineGroups');
  const { example } = pipelines.kind;
  const pipelineOf = ({ params: { pipeline_name: name = '' } }: ApiRequest) => mustExist(pipelines.kind, name, pipelines.find(name));
  return [
    showingOne({
      method: 'GET',
      path: `${PATH}/pipelines/:pipeline_name`,
      version: 1,
      permission: 'groupAdmin',
      guard: {
        type: 'pipeline',
        action: 'administer',
        on: ({ params }) => subjectNamed(pipelines.kind, params.pipeline_name ?? '', config),
      },
      description: fileDescription({
        summary: 'Export a pipeline as a file for a config repo',
        details: 'Pipelines that a config repo defines can be exported, too. The content type is that of the plugin.',
        parameters: {
          pipeline_name: { description: 'The name of the pipeline, case-insensitive.', example: String(example.name) },
        },
        notFound: pipelines.kind.messages.notFound(UNKNOWN),
        example: () => examplePlugin.exportPipeline(writeSealed(pipelines.kind, exampleOf(pipelines.kind, parts))).text,
      }),
      handle: async (request) => {
        const entry = pipelineOf(request);
        return fileAnswer(entry, declaredScmsOf(entry, config), request);
      },
    }),
    fromConfig(
      {
        method: 'GET',
        path: `${PATH}/groups/:group_name`,
        version: 1,
        permission: 'groupAdmin',
        guard: { type: 'pipeline_group', action: 'administer', on: ({ params }) => ({ resource: params.group_name ?? '' }) },
        description: archiveDescription({
          summary: 'Export all pipelines of a group',
          details: 'An archive with one file for each pipeline.',
          parameters: { group_name: { description: 'The name of the group, case-insensitive.', example: String(example.group) } },
          notFound: groups.messages.notFound(UNKNOWN),
        }),
      },
      parts,
      [groups.name, pipelines.kind.name, scms.kind.name],
      (shown, request) => {
        const { group_name: name = '' } = request.params;
        const { key, value } = mustExist(groups, name, shown.of(groups.name).find(name));
        const plugin = pluginOf(request);
        const content = contentOfGroup(key, shown, (pipeline) => mayAdministerNow(request.identity, pipeline));
        return archiveAnswer(plugin, content, `${value.name}.zip`, shown, tools.cipher);
      },
    ),
    fromConfig(
      {
        method: 'GET',
        path: PATH,
        version: 1,
        permission: 'admin',
        notAllowed: () => new Refusal('forbidden', NOT_THIS_ACTION),
        description: archiveDescription({
          summary: 'Export all pipelines and environments',
          details: 'An archive with one file for each pipeline, and one for each environment where the format has them.',
        }),
      },
      parts,
      [groups.name, pipelines.kind.name, scms.kind.name, 'environments', 'environmentParts'],
      (shown, request) => {
        const plugin = pluginOf(request);
        return archiveAnswer(plugin, wholeContent(plugin, shown), 'pipelines.zip', shown, tools.cipher);
      },
    ),
  ];

  function showingOne(route: Route): Route {
    return atAnyTime(route, parts, async (revision, request) => {
      const { pipeline_name: name = '' } = request.params;
      const entry = mustExist(pipelines.kind, name, await entryAt(pipelines.kind, name, parts, revision, request));
      const used = await Promise.all(scmIdsOf(entry.value).map((id) => parts.past.entry(scms.kind, id, revision)));
      return fileAnswer(entry, used.filter(isDeclared), request);
    });
  }

  async function fileAnswer(
    entry: Entry<EntityNamed<'pipelines'>>,
    declared: readonly Entry<EntityNamed<'scms'>>[],
    request: ApiRequest,
  ): Promise<Answer> {
    const plugin = pluginOf(request);
    const { name, contentType, text } = await exportedPipeline(plugin, entry, config, tools.cipher, {}, declared).catch(
      (failure: unknown) => {
        throw new Refusal('invalid', failure instanceof Error ? failure.message : String(failure));
      },
    );
    const etag = exportTag(plugin, [entry, ...declared]);
    const answer = { status: 200, text, bytes: Buffer.byteLength(text), type: contentType, etag };
    return { ...answer, headers: disposition(name) };
  }

  /** Rights are those of today, also to pipelines that were in another group then. */
  function mayAdministerNow(identity: Identity, { key }: Entry<EntityNamed<'pipelines'>>): boolean {
    const within = pipelines.find(key)?.value.group ?? '';
    return access.may(identity, 'groupAdmin', { type: 'pipeline', action: 'administer', resource: key, within });
  }

  function pluginOf({ query }: ApiRequest): ExportingPlugin {
    const id = query.get(PLUGIN_PARAMETER)?.trim();
    if (!id) throw new Refusal('malformed', missingParameter(PLUGIN_PARAMETER));
    const plugin = plugins.configRepo(id);
    if (!plugin) throw new Refusal('invalid', notAConfigRepoPlugin(id));
    if (!canExport(plugin)) throw new Refusal('invalid', cannotExport(id));
    return plugin;
  }
}

function archiveAnswer(plugin: ExportingPlugin, content: ArchiveContent, name: string, config: Config, cipher: Cipher): Answer {
  const body = Readable.from(archiveOf(plugin, content, config, cipher));
  return { status: 200, body, type: ZIP, etag: archiveTag(plugin, content, config), headers: disposition(safeFileName(name)) };
}

function disposition(name: string): readonly string[] {
  return ['Content-Disposition', `attachment; filename="${name}"`];
}
