// A problem: something the sender can correct, and the place it belongs to.
import { isObject, type Json, type JsonOut } from '../json/json.ts';
import { RoomForMessages } from './short-problems.ts';

export type Path = readonly (string | number)[];

export interface Problem {
  /** Where it is written: the path to an object, then the key under that object's `errors`. */
  readonly at: Path;
  readonly message: string;
  /** The index of the text that the problem is about, in a list of texts: such a list has no errors of its own. */
  readonly item?: number;
  /** The JSON could not even be read here (a member missing or of the wrong type). */
  readonly unreadable?: boolean;
  /** The value at this path could not be read: all other problems of it, or inside it, are noise. */
  readonly hides?: Path;
  /** The key under which it stands in the answer to a change of something else that brought it about; absent: `base`. */
  readonly keyElsewhere?: string;
  /** GoCD calls the request malformed when nothing else is wrong with it. */
  readonly malformed?: boolean;
  /** The setting that a plugin has found the problem in. A file with it is taken over all the same, and its sender is warned. */
  readonly pluginSetting?: string;
  /** A secret that it refers to cannot be had. */
  readonly isUnresolved?: boolean;
}

export function isPluginProblem({ pluginSetting }: Problem): boolean {
  return pluginSetting !== undefined;
}

/** A rule's answer when `holds` is false. */
export function problemUnless(holds: boolean, at: Path | string, message: string): Problem[] {
  return holds ? [] : [{ at: typeof at === 'string' ? [at] : at, message }];
}

/** An unreadable value has one problem; the problems that other rules find in its stand-in value are noise. */
export function withoutDerivedProblems(problems: readonly Problem[]): Problem[] {
  const unreadable = new Set(problems.filter((problem) => problem.unreadable).map((problem) => problem.at.join('\n')));
  const hiding = Map.groupBy(
    problems.filter((problem) => problem.hides),
    (problem) => problem.hides!.join('\n'),
  );
  // By the paths it lies in, and not one by one: a list can have thousands of bad entries.
  const isHidden = (problem: Problem) =>
    hiding.size > 0 && enclosingPaths(problem.at).some((enclosing) => hiding.get(enclosing)?.some((one) => one !== problem));
  return problems.filter((problem) => (problem.unreadable || !unreadable.has(problem.at.join('\n'))) && !isHidden(problem));
}

/** A path, and all that it lies in. */
function enclosingPaths(at: Path): string[] {
  return Array.from({ length: at.length + 1 }, (_, length) => at.slice(0, length).join('\n'));
}

/** The object with every problem written beside the field it belongs to. */
export function annotate(data: JsonOut, problems: readonly Problem[]): JsonOut {
  const written = new Map<string[], Set<string>>();
  for (const { at, message, unreadable } of new RoomForMessages().shorten(problems)) {
    const { holder, key } = resolvePath(data, at.slice(0, -1), String(at.at(-1)), unreadable);
    // Keys can be anything a client sent, `__proto__` too.
    const errors = (holder.errors ??= Object.create(null)) as Record<string, string[]>;
    const messages = (errors[key] ??= []);
    const known = written.getOrInsertComputed(messages, () => new Set());
    if (!known.has(message)) messages.push(message);
    known.add(message);
  }
  return data;
}

/** `isMade`: an object that is not shown was sent all the same, and is made for the unreadable members in it. */
function resolvePath(data: JsonOut, path: Path, key: string, isMade = false): { readonly holder: JsonOut; readonly key: string } {
  let holder: Json = data;
  // A list has no errors of its own: they stand beside it.
  let beside = { holder: data, key };
  for (const step of path) {
    // An entry that was not sent gets a place after those that were.
    if (Array.isArray(holder) && step === holder.length) holder.push({ key: String(key) });
    if (isMade && isObject(holder) && holder[step] === undefined) (holder as JsonOut)[step] = {};
    const next: Json | undefined = Array.isArray(holder) ? holder[step as number] : (holder as JsonOut)[step];
    if (!isObject(next) && !Array.isArray(next)) break;
    if (Array.isArray(next) && !Array.isArray(holder)) beside = { holder: holder as JsonOut, key: String(step) };
    holder = next;
  }
  return Array.isArray(holder) ? beside : { holder: holder as JsonOut, key };
}
