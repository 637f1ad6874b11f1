// Whether the changes of a material set a pipeline off, by the patterns that the pipeline has for their files.
import { findRepositoryDefinition, type RepositoryType } from '../types/list.ts';
import { FilterPattern } from './filter-pattern.ts';

export interface FileFilter {
  readonly patterns: readonly string[];
  /** The patterns name the files that count, instead of those that do not. */
  readonly isInverted: boolean;
}

export type FilteredType = RepositoryType | 'plugin' | 'dependency' | 'package';

/** `files` are those of all new modifications together. Without any file, changes set nothing off, whatever the filter. */
export function isIgnored(files: Iterable<string>, { patterns, isInverted }: FileFilter, type: FilteredType): boolean {
  if (type === 'dependency' || type === 'package') return false;
  const all = patterns.map((pattern) => compiled(pattern, type));
  for (const file of files) {
    const isMatched = all.some((pattern) => pattern.matches(file));
    if (isMatched === isInverted) return false;
  }
  return true;
}

function compiled(pattern: string, type: FilteredType): FilterPattern {
  return new FilterPattern(pattern, findRepositoryDefinition(type)?.pathsBeginWithSlash ? 'slash' : 'plain');
}
