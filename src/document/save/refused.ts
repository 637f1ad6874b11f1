// Why a file was refused: everything that is wrong with it, each with its line.
import type { Finding } from '../../config/check-all.ts';
import type { Unacceptable } from '../../config/large-change.ts';
import { nameOf } from '../../config/references.ts';
import { slices } from '../../kit/slices.ts';
import type { TextProblem } from '../../kit/xml/tree.ts';
import { snakeCase } from '../../shape/json.ts';
import { type Kind, keyOf } from '../../shape/resource.ts';
import { type ConfigFile, type FileEntity, jsonOf, lineFinder } from './config-file.ts';
import { called } from './words.ts';

/** Nobody reads on after so many. */
const MOST = 1000;
const FIRST_LINE = { line: 1, column: 1 };

export class FileRefused extends Error {
  readonly problems: readonly TextProblem[];

  constructor(problems: readonly TextProblem[]) {
    super(problems.map(({ line, message }) => `line ${line}: ${message}`).join('\n'));
    this.problems = problems;
  }
}

/**
 * The same in terms of the file, beside what is wrong with its form; what has no place in it is told on its first line.
 * Of an entity whose form is wrong nothing else is told: it may follow from that. Neither is what holds only for a whole file.
 */
export async function asProblemsOf(
  { entities, problems: ofForm }: ConfigFile,
  { findings, conditions }: Pick<Unacceptable, 'findings' | 'conditions'>,
  kinds: ReadonlyMap<string, Kind>,
): Promise<TextProblem[]> {
  const pause = slices();
  const places = new Map<string, FileEntity>();
  for (const entity of entities) {
    const kind = kinds.get(entity.kind);
    if (kind) places.set(nameOf(kind, keyOf(kind, entity.id)), entity);
    await pause();
  }
  const problems: TextProblem[] = [...ofForm];
  for (const finding of findings) {
    const place = places.get(nameOf(finding.kind, keyOf(finding.kind, finding.id)));
    if (!place?.isFaulty) problems.push(...problemsOf(finding, place));
    await pause();
  }
  const told = new Set(findings.flatMap((finding) => finding.problems.map(({ message }) => message)));
  const more = ofForm.length > 0 ? [] : conditions.filter((message) => !told.has(message));
  const inOrder = problems.sort((one, other) => one.line - other.line);
  return shortened([...inOrder, ...more.map((message) => ({ ...FIRST_LINE, message }))]);
}

function problemsOf({ kind, id, problems }: Finding, place: FileEntity | undefined): TextProblem[] {
  const name = called(kind, place ? addressIn(kind, place) : id);
  const lineOf = place ? lineFinder(place) : () => FIRST_LINE.line;
  const placed = problems.map(({ at, message }) => ({ line: lineOf(at), column: FIRST_LINE.column, message: `${name}: ${message}` }));
  // What is told beside two members of the same element is told once.
  return [...new Map(placed.map((problem) => [`${problem.line} ${problem.message}`, problem])).values()];
}

function addressIn(kind: Kind, place: FileEntity): string {
  return kind.shape === 'singleton' || !kind.addressedBy ? place.id : String(jsonOf(place)[snakeCase(kind.addressedBy)] ?? '');
}

function shortened(problems: readonly TextProblem[]): TextProblem[] {
  if (problems.length <= MOST) return [...problems];
  return [...problems.slice(0, MOST), { ...FIRST_LINE, message: `And ${problems.length - MOST} more.` }];
}
