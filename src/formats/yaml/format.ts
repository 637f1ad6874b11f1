// The YAML format: which files, and how a pipeline is written.
import type { Body, ExportOptions, FileFormat } from '../../contracts/plugins/config-repo.ts';
import { printYaml } from '../../kit/tree/print-yaml.ts';
import { environmentModel, pipelineModel } from '../export/model.ts';
import { environmentYamlForm, yamlForm } from '../export/yaml-form.ts';
import { choose, defaultPatterns, type Pattern } from '../patterns.ts';
import { joinFiles } from '../version.ts';

const AS = 'definitions';
const CONTENT_TYPE = 'application/x-yaml; charset=utf-8';
const PATTERNS: readonly Pattern[] = [{ key: 'file_pattern', defaultValue: '**/*.gocd.yaml,**/*.gocd.yml', as: AS }];

export const yamlFormat: FileFormat = {
  defaultPatterns: defaultPatterns(PATTERNS),
  choose: (paths, configuration, pluginSettings) => choose(paths, PATTERNS, configuration, pluginSettings),
  // Users who send files by hand may give them any name.
  chooseSent: (names) => ({ files: names.map((path) => ({ path, as: AS })), problems: [] }),
  join: (files) => joinFiles(files, 'YAML config plugin'),
  exportPipeline: (pipeline: Body, options?: ExportOptions) => ({
    name: `${String(pipeline.name)}.gocd.yaml`,
    contentType: CONTENT_TYPE,
    text: printYaml(yamlForm(pipelineModel(pipeline, options), options)),
  }),
  exportEnvironment: (environment: Body, options?: ExportOptions) => ({
    name: `${String(environment.name)}.gocd.yaml`,
    contentType: CONTENT_TYPE,
    text: printYaml(environmentYamlForm(environmentModel(environment), options)),
  }),
};
