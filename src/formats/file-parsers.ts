// The parsers for the files of the bundled plugins, and for the answers of plugins that are programs.
import type { FileParser } from '../contracts/plugins/config-repo.ts';
import { parsePluginAnswer } from './external/answer.ts';
import { ANSWERS } from './external/protocol.ts';
import { parseJsonFile } from './json/file.ts';
import { parseYamlFile } from './yaml/file.ts';

export const yamlParser: FileParser = { id: 'yaml.config.plugin', parse: ({ path }, bytes) => parseYamlFile(path, bytes) };
export const jsonParser: FileParser = { id: 'json.config.plugin', parse: parseJsonFile };

export const fileParsers: readonly FileParser[] = [yamlParser, jsonParser, { id: ANSWERS, parse: parsePluginAnswer }];
