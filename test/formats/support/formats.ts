// The formats that come with the server, each with the parser of its files.
import { jsonParser, yamlParser } from '../../../src/formats/file-parsers.ts';
import { jsonFormat as jsonFiles } from '../../../src/formats/json/format.ts';
import { yamlFormat as yamlFiles } from '../../../src/formats/yaml/format.ts';

export const yamlFormat = { ...yamlFiles, parse: yamlParser.parse };
export const jsonFormat = { ...jsonFiles, parse: jsonParser.parse };
