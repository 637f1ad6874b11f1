// A YAML file: any number of pipelines and environments under their names.
import type { ParsedFile } from '../../contracts/plugins/config-repo.ts';
import { closest } from '../../kit/text/closest.ts';
import type { Dict, Tree } from '../../kit/tree/tree.ts';
import { readYaml } from '../../kit/tree/yaml.ts';
import { readEnvironment } from '../model/environment.ts';
import { readPipeline } from '../model/pipeline.ts';
import { type Content, type Notation, parseWith } from '../read-tree.ts';
import type { Report } from '../report.ts';
import { declaredVersion } from '../version.ts';
import { EntityDiagnostics } from './entity-diagnostics.ts';
import type { Diagnostics } from './forms.ts';
import { environmentModel, pipelineModel } from './pipeline.ts';

const REPEATED = 'Remove or rename one of them.';

const YAML: Notation = {
  read: readYaml,
  // A line may end with a carriage return alone, which the library does not know.
  prepare: (source) => source.replaceAll(/\r(?!\n)/g, '\n'),
  message: ({ kind, message }, position) =>
    kind === 'duplicate' ? `${position}: ${message}` : `Error parsing YAML. : ${position}: ${message} : `,
  hint: ({ kind, message }) => {
    if (kind === 'duplicate') return REPEATED;
    if (message.includes('anchor')) return 'An alias has to stand after the anchor that it names.';
    return /tab/i.test(message) ? 'Indent with blanks.' : undefined;
  },
  // Of numbers, and of the fields that have to be there. Only a task must name its plugin; that is under another key than in a material.
  ownNames: { display_order_weight: 'display_order', plugin_configuration: 'configuration', package_id: 'package', scm_id: 'scm' },
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
  const version = declaredVersion(tree, versionKey(tree, keys, report), report);
  const mapsUnder = (key: string) => (keys.get(key) ?? []).flatMap((given) => namedUnder(tree, given, report) ?? []);
  const [pipelines, environments] = [mapsUnder('pipelines'), mapsUnder('environments')];
  const weight = [...pipelines, ...environments].reduce((sum, map) => sum + map.size.weight, 0);
  if (weight > heaviest) {
    report.problem(tree.at, 'Too much is repeated by aliases', { hint: 'Written out, the file would be larger than a server can hold.' });
    return nothing;
  }
  return {
    version,
    pipelines: pipelines.flatMap((map) => each(map, 'pipeline', report, pipelineModel, readPipeline)),
    environments: environments.flatMap((map) => each(map, 'environment', report, environmentModel, readEnvironment)),
  };
}

type RootKeys = ReadonlyMap<string, readonly string[]>;

/** As they are spelled in the file: their letter case does not count, so one can stand in it in several ways. */
function rootKeys({ members }: Dict, report: Report): RootKeys {
  const keys = new Map<string, string[]>();
  for (const [given, { at }] of members) {
    const key = given.toLowerCase();
    if (ROOT_KEYS.includes(key)) {
      keys.getOrInsertComputed(key, () => []).push(given);
      continue;
    }
    const meant = closest(key, ROOT_KEYS);
    report.problem(at, `${given} is invalid, expected format_version, pipelines, environments, or common`, {
      hint: meant ? `Did you mean ${meant}?` : 'What other parts of the file refer to can stand under common.',
    });
  }
  return keys;
}

function versionKey({ members }: Dict, keys: RootKeys, report: Report): string {
  const [first = '', ...others] = keys.get('format_version') ?? [];
  for (const key of others) report.problem(members.get(key)!.at, `Duplicate key found '${key}'`, { hint: REPEATED });
  return first;
}

function namedUnder(root: Dict, key: string, report: Report): Dict | undefined {
  const tree = root.members.get(key)?.value;
  if (!tree || tree.kind === 'dict') return tree ?? undefined;
  report.problem(tree.at, `Expected ${key} to be a hash`, { hint: 'Write each under its name, without a dash.' });
  return undefined;
}

/** A mistake in one does not keep the others from being read, and neither does one in a part of it: all that is wrong is reported. */
function each<T>(
  map: Dict,
  kind: string,
  report: Report,
  translate: (name: string, at: number, value: Tree | null, diagnostics: Diagnostics) => Dict,
  read: (model: Dict, report: Report) => T,
): T[] {
  return [...map.members].flatMap(([name, { at, value }]) => {
    const diagnostics = new EntityDiagnostics(kind, name, report);
    const model = diagnostics.tried(at, () => translate(name, at, value, diagnostics));
    if (!model) return [];
    if (diagnostics.incomplete.size === 0) return [read(model, report)];
    report.silentAt(diagnostics.incomplete, () => read(model, report));
    return [];
  });
}
