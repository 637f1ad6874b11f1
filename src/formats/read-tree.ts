// From the bytes of a file to its definitions: each kind of mistake on the way is reported in the words of its format.
import type { ParsedFile } from '../contracts/plugins/config-repo.ts';
import { Lines } from '../kit/tree/lines.ts';
import type { Fault, Tree, TreeReading } from '../kit/tree/tree.ts';
import { type OwnNames, Report } from './report.ts';
import { sourceText } from './source-text.ts';

export interface Notation {
  /** The text as `read` takes it, each character in its place. Absent: as it is. */
  prepare?(source: string): string;
  read(text: string): TreeReading;
  /** The message for a mistake in the notation; the position is `Line 1, column 2`. */
  message(fault: Fault, position: string): string;
  hint(fault: Fault): string | undefined;
  readonly ownNames?: OwnNames;
  /** The text that is read in place of the file: it is to blame, and positions in it are of no use to the author of the file. */
  readonly instead?: { readonly subject: string; readonly hint: string };
}

export type Content = Pick<ParsedFile, 'version' | 'pipelines' | 'environments'>;
const NOTHING: Content = { version: undefined, pipelines: [], environments: [] };

/** However often a file refers to itself, its expanded content must not become larger than this plus the length of its text. */
const MAX_WEIGHT = 500_000;

export function parseWith(
  notation: Notation,
  path: string,
  bytes: Uint8Array,
  read: (tree: Tree, report: Report, heaviest: number) => Content,
): ParsedFile {
  const { instead } = notation;
  const source = sourceText(bytes, instead?.subject);
  const text = notation.prepare?.(source.text) ?? source.text;
  const lines = new Lines(text);
  const report = new Report(path, instead ? undefined : lines, notation.ownNames);
  const finished = (content: Content): ParsedFile => ({ path, ...content, problems: report.problems, warnings: report.warnings });
  if ('refused' in source) {
    report.problem(source.at, source.refused, { hint: instead?.hint ?? source.hint });
    return finished(NOTHING);
  }
  const { tree, faults, ignored } = notation.read(text);
  for (const { at, message } of ignored) report.warning(at, `${message} (ignored)`);
  for (const fault of faults) {
    const { line, column } = lines.position(fault.at);
    report.problem(fault.at, notation.message(fault, `Line ${line}, column ${column}`), { hint: notation.hint(fault) });
  }
  if (faults.length > 0) return finished(NOTHING);
  if (tree === null) {
    report.problem(0, `${instead?.subject ?? 'File'} is empty`, { hint: instead?.hint ?? 'Write definitions into it, or remove it.' });
    return finished(NOTHING);
  }
  return finished(read(tree, report, MAX_WEIGHT + source.text.length));
}
