// A JSON file: one pipeline or one environment, written as the model has it.
import type { ChosenFile, ParsedFile } from '../../contracts/plugins/config-repo.ts';
import { readJson } from '../../kit/tree/json.ts';
import { readEnvironment } from '../model/environment.ts';
import { readPipeline } from '../model/pipeline.ts';
import { type Notation, parseWith } from '../read-tree.ts';
import { declaredVersion, OLDEST_VERSION } from '../version.ts';

const JSON_NOTATION: Notation = {
  read: readJson,
  message: ({ message }, position) => `Failed to parse file as JSON: ${message} (${position.toLowerCase()})`,
  hint: () => undefined,
};

export function parseJsonFile({ path, as }: ChosenFile, bytes: Uint8Array): ParsedFile {
  return parseWith(JSON_NOTATION, path, bytes, (tree, report) => {
    const nothing = { version: undefined, pipelines: [], environments: [] };
    if (tree.kind !== 'dict') {
      report.problem(tree.at, `Failed to parse file as JSON: Expected an object with the ${as}`);
      return nothing;
    }
    if (tree.members.size === 0) {
      report.problem(tree.at, 'Definition is empty', { hint: `Write the ${as} into it, or remove the file.` });
      return nothing;
    }
    const version = declaredVersion(tree, 'format_version', report, OLDEST_VERSION);
    return as === 'environment'
      ? { version, pipelines: [], environments: [readEnvironment(tree, report)] }
      : { version, pipelines: [readPipeline(tree, report)], environments: [] };
  });
}
