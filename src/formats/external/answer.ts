// The answer of an external plugin to a file: definitions in the words of the JSON format, and the problems of the file.
import type { ChosenFile, ParsedFile } from '../../contracts/plugins/config-repo.ts';
import { readJson } from '../../kit/tree/json.ts';
import type { Position } from '../../kit/tree/lines.ts';
import type { Dict, Tree } from '../../kit/tree/tree.ts';
import { readEnvironment } from '../model/environment.ts';
import { readPipeline } from '../model/pipeline.ts';
import { numberIn } from '../model/scalars.ts';
import { type Content, type Notation, parseWith } from '../read-tree.ts';
import { Report, START } from '../report.ts';
import { declaredVersion } from '../version.ts';
import { PROTOCOL } from './protocol.ts';

const REMEDY = 'Tell the author of the plugin.';
const ANSWER: Notation = {
  read: readJson,
  message: ({ message }, position) => `The plugin did not answer in JSON: ${message} (${position.toLowerCase()} of the answer)`,
  hint: () => REMEDY,
  instead: { subject: 'The answer of the plugin', hint: REMEDY },
};
const KEYS = ['protocol', 'format_version', 'pipelines', 'environments', 'errors', 'warnings'];

/** Reads the answer, not the file. Places are those that the plugin names: in the file that its author sees. */
export function parsePluginAnswer({ path }: ChosenFile, bytes: Uint8Array): ParsedFile {
  return parseWith(ANSWER, path, bytes, (tree, report) => new Answer(report).read(tree));
}

class Answer {
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  read(tree: Tree): Content {
    const nothing: Content = { version: undefined, pipelines: [], environments: [] };
    if (tree.kind !== 'dict') return this.#wrong('has to be an object', nothing);
    const unknown = [...tree.members.keys()].find((key) => !KEYS.includes(key));
    if (unknown !== undefined) return this.#wrong(`has a member ${unknown} that is not known`, nothing);
    if (textIn(tree, 'protocol') !== String(PROTOCOL)) return this.#wrong(`has to name protocol ${PROTOCOL}`, nothing);
    for (const item of this.#itemsIn(tree, 'errors')) this.#addProblem(item, 'problems');
    for (const item of this.#itemsIn(tree, 'warnings')) this.#addProblem(item, 'warnings');
    return {
      version: this.#version(tree),
      pipelines: this.#itemsIn(tree, 'pipelines').flatMap((item) => this.#definition(item, readPipeline)),
      environments: this.#itemsIn(tree, 'environments').flatMap((item) => this.#definition(item, readEnvironment)),
    };
  }

  #version(tree: Dict): number | undefined {
    const own = new Report(this.#report.file);
    const version = declaredVersion(tree, 'format_version', own);
    this.#report.problems.push(...own.problems.map((problem) => ({ ...problem, hint: REMEDY })));
    return version;
  }

  /** Problems of a definition are reported at the place that the plugin gives for the whole of it. */
  #definition<T extends { readonly positions: Uint32Array }>(item: Dict, read: (dict: Dict, report: Report) => T): T[] {
    const dict = item.members.get('definition')?.value;
    if (dict?.kind !== 'dict') return this.#wrong('has an item without the object `definition`', []);
    const position = positionIn(item);
    const own = new Report(this.#report.file);
    const defined = read(dict, own);
    this.#report.problems.push(...own.problems.map((problem) => ({ ...problem, ...position })));
    this.#report.warnings.push(...own.warnings.map((warning) => ({ ...warning, ...position })));
    return [
      { ...defined, ...position, positions: defined.positions.map((_, index) => (index % 2 === 0 ? position.line : position.column)) },
    ];
  }

  #addProblem(item: Dict, list: 'problems' | 'warnings'): void {
    const message = textIn(item, 'message');
    if (!message) {
      this.#wrong(`has one of its ${list} without a \`message\``, undefined);
      return;
    }
    // By a report of its own, so that long texts are cut there.
    const own = new Report(this.#report.file);
    own.problem(0, message, { entity: textIn(item, 'entity'), hint: textIn(item, 'hint') });
    this.#report[list].push({ ...own.problems[0]!, ...positionIn(item) });
  }

  #itemsIn(tree: Dict, key: string): readonly Dict[] {
    const given = tree.members.get(key)?.value ?? null;
    if (given === null) return [];
    const items = given.kind === 'list' ? given.items : [null];
    const dicts = items.flatMap((item) => (item?.kind === 'dict' ? item : []));
    return dicts.length === items.length ? dicts : this.#wrong(`has ${key} that are not a list of objects`, []);
  }

  #wrong<T>(what: string, rest: T): T {
    this.#report.problem(0, `The answer of the plugin ${what}.`, { hint: REMEDY });
    return rest;
  }
}

function textIn(dict: Dict, key: string): string | undefined {
  const value = dict.members.get(key)?.value;
  return value?.kind === 'text' ? value.text : undefined;
}

function positionIn(item: Dict): Position {
  const count = (key: 'line' | 'column') => {
    const number = numberIn(textIn(item, key) ?? '');
    return number !== undefined && number >= 1 ? number : START[key];
  };
  return { line: count('line'), column: count('column') };
}
