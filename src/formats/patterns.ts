// Which files of a repository are read: those that match the patterns of the repository, of the plugin, or the usual ones.
import type { ChosenFile } from '../contracts/plugins/config-repo.ts';
import type { SettingValues } from '../contracts/plugins/plugin.ts';
import { type PathPattern, pathPatterns } from '../kit/text/path-pattern.ts';

export interface Pattern {
  /** The setting that replaces it. */
  readonly key: string;
  readonly defaultValue: string;
  /** The kind of file as which matching files are read. */
  readonly as: string;
}

interface WantedPattern {
  readonly as: string;
  readonly patterns: readonly PathPattern[];
}

export function defaultPatterns(all: readonly Pattern[]): Readonly<Record<string, string>> {
  return Object.fromEntries(all.map(({ key, defaultValue }) => [key, defaultValue]));
}

/** A file that matches several patterns is read as the first of them says. Sorted, so that the same files always come in the same order. */
export function choose(paths: Iterable<string>, all: readonly Pattern[], ...settings: readonly SettingValues[]): readonly ChosenFile[] {
  const wanted = wantedBy(all, settings);
  const chosen: ChosenFile[] = [];
  for (const path of paths) {
    const found = wanted.find(({ patterns }) => patterns.some((pattern) => pattern.matches(path)));
    if (found) chosen.push({ path, as: found.as });
  }
  return chosen.sort(byPath);
}

/** The kind of file as which a file of this name would be read, in any folder. */
export function chooseByName(name: string, all: readonly Pattern[], settings: SettingValues): string | undefined {
  const last = name.split(/[\\/]/).at(-1)!;
  return wantedBy(all, [settings]).find(({ patterns }) => patterns.some((pattern) => pattern.matchesName(last)))?.as;
}

function wantedBy(all: readonly Pattern[], settings: readonly SettingValues[]): readonly WantedPattern[] {
  return all.map(({ key, defaultValue, as }) => {
    const given = settings.map((values) => values.get(key) ?? '').find((value) => value.trim() !== '');
    return { as, patterns: pathPatterns(given ?? defaultValue) };
  });
}

function byPath({ path: one }: ChosenFile, { path: other }: ChosenFile): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
