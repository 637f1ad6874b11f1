// Polls repositories that a plugin watches.
import type { CheckResult } from '../../../contracts/plugins/package-repository.ts';
import type { SettingValues } from '../../../contracts/plugins/plugin.ts';
import type { ScmPlugin, ScmRevision, ScmTools } from '../../../contracts/plugins/scm.ts';
import { type MaterialClient, MaterialProblem, type NewModification, type PollContext, type PolledMaterial } from '../../clients/client.ts';
import { gitTool } from './git-tool.ts';

export interface PluginMaterial extends PolledMaterial {
  readonly type: 'plugin';
  readonly pluginId: string;
  readonly settings: SettingValues;
  /** The settings with references to secrets as they are written. */
  readonly configured: SettingValues;
}

/** The context of a poll of such a material. */
export interface PluginPollContext extends PollContext {
  /** Keeps data for the next poll, which gets it in `known`. */
  keep?(data: string): void;
}

export interface PluginClient extends MaterialClient<PluginMaterial> {
  /** The verdict of the plugin, also when all is well. Throws when it is not installed. */
  check(material: PluginMaterial, context: PollContext): Promise<CheckResult>;
}

export function pluginClient(findPlugin: (id: string) => ScmPlugin | undefined): PluginClient {
  const pluginOf = ({ pluginId }: PluginMaterial) => {
    const plugin = findPlugin(pluginId);
    if (!plugin) throw new MaterialProblem(`Plugin with id '${pluginId}' is not found.`);
    return plugin;
  };
  const check = async (material: PluginMaterial, context: PollContext) =>
    pluginOf(material).checkConnection(material.settings, toolsFor(material, context));
  return {
    async *poll(material, known, context) {
      const plugin = pluginOf(material);
      const tools = toolsFor(material, context, known?.data);
      if (!known) yield [modificationOf(await plugin.latestRevision(material.settings, tools))];
      else for await (const batch of plugin.latestRevisionsSince(material.settings, known, tools)) yield batch.map(modificationOf);
    },
    check,
    checkConnection: async (material, context) => {
      const { isOk, messages } = await check(material, context);
      if (!isOk) throw new MaterialProblem(messages.join('\n'));
    },
    checkOut: async (material, revision, into, context) => {
      const plugin = pluginOf(material);
      if (!plugin.checkOut) throw new MaterialProblem(`The plugin ${plugin.id} cannot check out files.`);
      await plugin.checkOut(material.settings, revision, into, toolsFor(material, context));
    },
  };
}

function toolsFor({ fingerprint, configured }: PluginMaterial, context: PluginPollContext, kept?: string): ScmTools {
  const { directory, signal, networkPolicy, limits } = context;
  return {
    directory,
    signal,
    networkPolicy,
    limits,
    onActivity: () => context.onActivity(),
    kept,
    keep: (data) => context.keep?.(data),
    git: gitTool(fingerprint, context, (url) => [...configured.values()].some((value) => value.trim() === url)),
  };
}

function modificationOf({ revision, time, user, comment, files, data }: ScmRevision): NewModification {
  return {
    revision,
    userName: user ?? null,
    email: null,
    comment: comment ?? null,
    modifiedTime: time,
    files,
    ...(data && Object.keys(data).length > 0 && { additionalData: JSON.stringify(data) }),
  };
}
