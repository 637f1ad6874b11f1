// A YAML file: any number of pipelines and environments under their names.
import type { ParsedFile } from '../../contracts/plugins/config-repo.ts';
import { closest } from '../../kit/closest.ts';
import type { Dict, Tree } from '../../kit/tree/tree.ts';
import { readYaml } from '../../kit/tree/yaml.ts';
import { readEnvironment } from '../model/environment.ts';
import { readPipeline } from '../model/pipeline.ts';
import { type Content, type Notation, parseWith } from '../read-tree.ts';
import type { Report } from '../report.ts';
import { declaredVersion } from '../version.ts';
import type { Told } from './forms.ts';
import { environmentModel, pipelineModel } from './pipeline.ts';
import { Telling } from './telling.ts';

const YAML: Notation = {
  read: readYaml,
  words: ({ kind, message }, place) => (kind === 'duplicate' ? `${place}: ${message}` : `Error parsing YAML. : ${place}: ${message} : `),
  hint: ({ kind, message }) => {
    if (kind === 'duplicate') return 'Remove or rename one of them.';
    if (message.includes('anchor')) return 'An alias has to stand behind the anchor that it names.';
    return /tab/i.test(message) ? 'Indent with blanks.' : undefined;
  },
  // Of the fields that have to be there. Only a task must name its plugin; that is under another key than in a material.
  ownNames: { plugin_configuration: 'configuration', package_id: 'package' },
};

const ROOT_KEYS = ['format_version', 'pipelines', 'environments', 'common'];

export function parseYamlFile(path: string, bytes: Uint8Array): ParsedFile {
  return parseWith(YAML, path, bytes, readRoot);
}

function readRoot(tree: Tree, report: Report, heaviest: number): Content {
  const nothing: Content = { version: undefined, pipelines: [], environments: [] };
  if (tree.kind !== 'dict') {
    report.problem(tree.at, 'Expected a hash with pipelines and environments', { hint: `Begin with one of ${ROOT_KEYS.join(', ')}.` });
    return nothing;
  }
  const keys = rootKeys(tree, report);
  const version = declaredVersion(tree, keys.get('format_version') ?? '', report);
  const [pipelines, environments] = ['pipelines', 'environments'].map((key) => namedUnder(tree, keys.get(key), report));
  const weight = [pipelines, environments].reduce((sum, map) => sum + (map?.size.weight ?? 0), 0);
  if (weight > heaviest) {
    report.problem(tree.at, 'Too much is repeated by aliases', { hint: 'Written out, the file would be larger than a server can hold.' });
    return nothing;
  }
  return {
    version,
    pipelines: each(pipelines, 'pipeline', report, pipelineModel, readPipeline),
    environments: each(environments, 'environment', report, environmentModel, readEnvironment),
  };
}

/** As they are spelled in the file: their letter case does not count. */
function rootKeys({ members }: Dict, report: Report): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [given, { at }] of members) {
    const key = given.toLowerCase();
    if (ROOT_KEYS.includes(key)) {
      keys.set(key, given);
      continue;
    }
    const meant = closest(key, ROOT_KEYS);
    report.problem(at, `${given} is invalid, expected format_version, pipelines, environments, or common`, {
      hint: meant ? `Did you mean ${meant}?` : 'What other parts of the file refer to can stand under common.',
    });
  }
  return keys;
}

function namedUnder(root: Dict, key: string | undefined, report: Report): Dict | undefined {
  const tree = key === undefined ? undefined : root.members.get(key)?.value;
  if (!tree || tree.kind === 'dict') return tree ?? undefined;
  report.problem(tree.at, `Expected ${key} to be a hash`, { hint: 'Write each under its name, without a dash.' });
  return undefined;
}

/** A mistake in one does not keep the others from being read, and neither does one in a part of it: all that is wrong is told. */
function each<T>(
  map: Dict | undefined,
  kind: string,
  report: Report,
  translate: (name: string, at: number, value: Tree | null, told: Told) => Dict,
  read: (model: Dict, report: Report) => T,
): T[] {
  return [...(map?.members ?? [])].flatMap(([name, { at, value }]) => {
    const telling = new Telling(kind, name, report);
    const model = telling.tried(at, () => translate(name, at, value, telling));
    if (!model) return [];
    if (telling.incomplete.size === 0) return [read(model, report)];
    report.silentAt(telling.incomplete, () => read(model, report));
    return [];
  });
}
