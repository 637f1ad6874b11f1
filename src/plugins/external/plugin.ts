// An external program as a plugin of the server that reads the files of config repos.
import type { Body, ChosenFile, ConfigRepoPlugin, ExportedFile, ExportOptions } from '../../contracts/plugins/config-repo.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import { pipelineModel } from '../../formats/export/model.ts';
import { type ExportRequest, type ParseRequest, PROTOCOL } from '../../formats/external/protocol.ts';
import { choose, chooseByName, type Pattern } from '../../formats/patterns.ts';
import { sourceText } from '../../formats/source-text.ts';
import { joinFiles } from '../../formats/version.ts';
import { plainFields } from '../setting-values.ts';
import { readExported } from './exported.ts';
import type { Manifest } from './manifest.ts';
import type { PluginProgram } from './program.ts';

export function externalPlugin(manifest: Manifest, program: Pick<PluginProgram, 'ask'>): ConfigRepoPlugin {
  const { id, name, version, description, vendor, patterns, settings, canExport } = manifest;
  const fields = plainFields(...new Set([...Object.keys(patterns), ...settings]));
  const all: readonly Pattern[] = Object.entries(patterns).map(([key, defaultValue]) => ({ key, defaultValue, as: '' }));
  // Files are read again when they are to be read as something else, so this is where the settings are.
  const readAs = (...values: readonly SettingValues[]) => JSON.stringify(settingsIn(settings, values));
  return {
    id,
    kind: 'configrepo',
    name,
    version,
    description,
    vendor,
    isExternal: true,
    capabilities: { supports_parse_content: true, supports_list_config_files: true, supports_pipeline_export: canExport },
    blocks: { configuration: { fields }, plugin: { fields, unknownKey: 'Is an unknown property' } },
    defaultPatterns: patterns,
    choose: (paths, configuration, pluginSettings) => {
      const as = readAs(configuration, pluginSettings);
      return choose(paths, all, configuration, pluginSettings).map(({ path }) => ({ path, as }));
    },
    chooseSent: (names, pluginSettings) => {
      const as = readAs(pluginSettings);
      const fits = (path: string) => chooseByName(path, all, pluginSettings) !== undefined;
      return { files: names.filter(fits).map((path) => ({ path, as })), problems: names.filter((path) => !fits(path)).map(unmatched) };
    },
    translate: async (file, bytes, signal) => Buffer.from(await translation(file, bytes, program, signal)),
    join: (files) => joinFiles(files, `Plugin ${id}`),
    ...(canExport && { exportPipeline: (pipeline: Body, options?: ExportOptions) => exported(pipeline, options, program) }),
  };
}

/** A file that is no text is refused without asking the program. */
async function translation(
  { path, as }: ChosenFile,
  bytes: Uint8Array,
  program: Pick<PluginProgram, 'ask'>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const source = sourceText(bytes);
  if ('refused' in source) return JSON.stringify({ protocol: PROTOCOL, errors: [{ message: source.refused, hint: source.hint }] });
  const settings = JSON.parse(as) as ParseRequest['settings'];
  const request: ParseRequest = { protocol: PROTOCOL, call: 'parse', file: { path, content: source.text }, settings };
  return program.ask(request, signal);
}

async function exported(pipeline: Body, options: ExportOptions | undefined, program: Pick<PluginProgram, 'ask'>): Promise<ExportedFile> {
  const request: ExportRequest = { protocol: PROTOCOL, call: 'export', pipeline: pipelineModel(pipeline, options) };
  return readExported(await program.ask(request));
}

/** Settings of the repository win over those of the plugin. */
function settingsIn(keys: readonly string[], all: readonly SettingValues[]): ParseRequest['settings'] {
  const value = (key: string) => all.map((values) => values.get(key) ?? '').find((text) => text.trim() !== '');
  return Object.fromEntries(keys.flatMap((key) => (value(key) === undefined ? [] : [[key, value(key)!]])));
}

function unmatched(file: string) {
  const message = 'File does not match a pattern of the plugin';
  return { file, line: 1, column: 1, entity: undefined, location: file, message, hint: undefined };
}
