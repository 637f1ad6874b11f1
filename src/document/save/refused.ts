// Why a file was refused: everything that is wrong with it, each with its line.
import type { Finding } from '../../config/check-all.ts';
import type { InvalidChange } from '../../config/large-change.ts';
import { nameOf } from '../../config/references.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { TextProblem } from '../../kit/xml/tree.ts';
import { isObject, type Json, type JsonObject, snakeCase } from '../../shape/json/json.ts';
import type { Path, Problem } from '../../shape/problems/problem.ts';
import { type Kind, keyOf } from '../../shape/resource.ts';
import { type ConfigFile, type FileEntity, jsonOf, lineFinder } from './config-file.ts';
import { entityLabel } from './entity-label.ts';

/** Maximum number of problems that are reported: more would not help the reader. */
const MAX_PROBLEMS = 1000;
const FIRST_LINE = { line: 1, column: 1 };

interface FileProblem extends TextProblem {
  /** It is about something that is not in the file: others have it, or it holds for the whole. */
  readonly isOutsideFile?: boolean;
}

export class FileRefused extends Error {
  readonly problems: readonly TextProblem[];
  /** The problems of something in the file. */
  readonly inFile: readonly TextProblem[];
  /** The messages of all other problems. */
  readonly elsewhere: readonly string[];
  /** The findings in the configuration that would come out, apart from the form of the file. */
  readonly findings: readonly Finding[];

  constructor(problems: readonly FileProblem[], findings: readonly Finding[] = []) {
    super(problems.map(({ line, message }) => `line ${line}: ${message}`).join('\n'));
    this.problems = problems.map(plain);
    this.inFile = problems.filter(({ isOutsideFile }) => !isOutsideFile).map(plain);
    this.elsewhere = problems.filter(({ isOutsideFile }) => isOutsideFile).map(({ message }) => message);
    this.findings = findings;
  }
}

function plain({ line, column, message }: FileProblem): TextProblem {
  return { line, column, message };
}

/**
 * The problems in terms of the file, beside those of its form; a problem without a place in the file gets its first line.
 * An entity whose form is wrong gets no other problems: they may follow from that. Then conditions on the whole file are left out, too.
 */
export async function asProblemsOf(
  { entities, problems: formProblems }: ConfigFile,
  { findings, conditions }: Pick<InvalidChange, 'findings' | 'conditions'>,
  kinds: ReadonlyMap<string, Kind>,
): Promise<FileProblem[]> {
  const fileEntities = new Map<string, FileEntity>();
  for (const entity of entities) {
    const kind = kinds.get(entity.kind);
    if (kind) fileEntities.set(nameOf(kind, keyOf(kind, entity.id)), entity);
    await pause();
  }
  const problems: FileProblem[] = [...formProblems];
  for (const finding of findings) {
    const fileEntity = fileEntities.get(nameOf(finding.kind, keyOf(finding.kind, finding.id)));
    if (!fileEntity?.isFaulty) problems.push(...problemsOf(finding, fileEntity));
    await pause();
  }
  const reported = new Set(findings.flatMap((finding) => finding.problems.map(({ message }) => message)));
  const more = formProblems.length > 0 ? [] : conditions.filter((message) => !reported.has(message));
  const inOrder = problems.sort((one, other) => one.line - other.line);
  return shortened([...inOrder, ...more.map((message) => ({ ...FIRST_LINE, message, isOutsideFile: true }))]);
}

/** The problems that plugins find in their settings, in terms of the file. */
export async function warningsOf(
  file: ConfigFile,
  pluginFindings: readonly Finding[],
  kinds: ReadonlyMap<string, Kind>,
): Promise<TextProblem[]> {
  return (await asProblemsOf({ ...file, problems: [] }, { findings: pluginFindings, conditions: [] }, kinds)).map(plain);
}

function problemsOf({ kind, id, problems }: Finding, fileEntity: FileEntity | undefined): FileProblem[] {
  const name = entityLabel(kind, fileEntity ? addressIn(kind, fileEntity) : id);
  const lineOf = fileEntity ? lineFinder(fileEntity) : () => FIRST_LINE.line;
  const fileProblems = problems.map((problem) => ({
    line: lineOf(problem.at),
    column: FIRST_LINE.column,
    message: `${name}${settingOf(problem, fileEntity)}: ${problem.message}`,
    ...(!fileEntity && { isOutsideFile: true }),
  }));
  // A message that two members of one element share is given once.
  return [...new Map(fileProblems.map((problem) => [`${problem.line} ${problem.message}`, problem])).values()];
}

/** A message about a setting need not name it: elsewhere it stands beside the setting. */
function settingOf({ at, message, pluginSetting }: Problem, fileEntity: FileEntity | undefined): string {
  const key = pluginSetting ?? (fileEntity && keyAlong(jsonOf(fileEntity), at));
  return key === undefined || (pluginSetting === undefined && message.includes(key)) ? '' : `, property '${key}'`;
}

/** The key of the property that a path leads into. */
function keyAlong(json: JsonObject, path: Path): string | undefined {
  let key: string | undefined;
  let holder: Json | undefined = json;
  for (const step of path) {
    holder = isObject(holder) || Array.isArray(holder) ? (holder as Readonly<Record<string | number, Json>>)[step] : undefined;
    if (isObject(holder) && typeof holder.key === 'string') key = holder.key;
  }
  return key;
}

function addressIn(kind: Kind, fileEntity: FileEntity): string {
  return kind.shape === 'singleton' || !kind.addressedBy ? fileEntity.id : String(jsonOf(fileEntity)[snakeCase(kind.addressedBy)] ?? '');
}

function shortened(problems: readonly FileProblem[]): FileProblem[] {
  if (problems.length <= MAX_PROBLEMS) return [...problems];
  return [
    ...problems.slice(0, MAX_PROBLEMS),
    { ...FIRST_LINE, message: `And ${problems.length - MAX_PROBLEMS} more.`, isOutsideFile: true },
  ];
}
