// The JSON format: which files, and how a pipeline is written.
import type { Body, ExportOptions, FileFormat, FileProblem } from '../../contracts/plugins/config-repo.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import { environmentModel, hasIdleJob, pipelineModel, VERSION_WITHOUT_TASKS } from '../export/model.ts';
import { choose, chooseByName, defaultPatterns, type Pattern } from '../patterns.ts';
import { joinFiles } from '../version.ts';

/** A file that fits both is an environment. */
const PATTERNS: readonly Pattern[] = [
  { key: 'environment_pattern', defaultValue: '**/*.goenvironment.json', as: 'environment' },
  { key: 'pipeline_pattern', defaultValue: '**/*.gopipeline.json', as: 'pipeline' },
];
const CONTENT_TYPE = 'application/json; charset=utf-8';

export const jsonFormat: FileFormat = {
  defaultPatterns: defaultPatterns(PATTERNS),
  choose: (paths, configuration, pluginSettings) => choose(paths, PATTERNS, configuration, pluginSettings),
  chooseSent: (names, pluginSettings) => {
    const chosen = names.map((path) => ({ path, as: chooseByName(path, PATTERNS, pluginSettings) }));
    return {
      files: chosen.flatMap(({ path, as }) => (as === undefined ? [] : [{ path, as }])),
      problems: chosen.flatMap(({ path, as }) => (as === undefined ? [unmatched(path)] : [])),
    };
  },
  join: (files) => joinFiles(files, 'JSON config plugin'),
  exportPipeline: (pipeline: Body, options?: ExportOptions) => ({
    name: `${String(pipeline.name)}.gopipeline.json`,
    contentType: CONTENT_TYPE,
    text: printed(versioned(pipelineModel(pipeline, options), options)),
  }),
  exportEnvironment: (environment: Body, options?: ExportOptions) => ({
    name: `${String(environment.name)}.goenvironment.json`,
    contentType: CONTENT_TYPE,
    text: printed(versioned(environmentModel(environment), options)),
  }),
};

function printed(model: JsonObject): string {
  return `${JSON.stringify(model, null, 2)}\n`;
}

/** A file that needs no version names none. */
function versioned(model: JsonObject, { isBesideIdleJobs = false }: ExportOptions = {}): JsonObject {
  return isBesideIdleJobs || hasIdleJob(model) ? { format_version: VERSION_WITHOUT_TASKS, ...model } : model;
}

function unmatched(file: string): FileProblem {
  const hint = 'Its name says whether it holds a pipeline or an environment, such as web.gopipeline.json.';
  const message = 'File does not match environment or pipeline pattern';
  return { file, line: 1, column: 1, entity: undefined, location: file, message, hint };
}
