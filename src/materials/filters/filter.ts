// Whether the changes of a material set a pipeline off, by the patterns that the pipeline has for their files.
import { FilterPattern } from './filter-pattern.ts';

export interface FileFilter {
  readonly patterns: readonly string[];
  /** The patterns name the files that count, instead of those that do not. */
  readonly isInverted: boolean;
}

export type FilteredType = 'git' | 'hg' | 'svn' | 'p4' | 'tfs' | 'plugin' | 'dependency' | 'package';

export function matchesPattern(pattern: string, name: string, type: FilteredType): boolean {
  return new FilterPattern(pattern, type === 'svn' ? 'slash' : 'plain').matches(name);
}

/** `files` are those of all new modifications together. Without any file, changes set nothing off, whatever the filter. */
export function isIgnored(files: Iterable<string>, { patterns, isInverted }: FileFilter, type: FilteredType): boolean {
  if (type === 'dependency' || type === 'package') return false;
  const compiled = patterns.map((pattern) => new FilterPattern(pattern, type === 'svn' ? 'slash' : 'plain'));
  for (const file of files) {
    const isMatched = compiled.some((pattern) => pattern.matches(file));
    if (isMatched === isInverted) return false;
  }
  return true;
}
