// A configuration file as it was read: entity by entity, each in its JSON form.
import type { TextProblem } from '../../kit/xml/tree.ts';
import type { KindName } from '../../shape/configuration.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import type { Path } from '../../shape/problems/problem.ts';
import type { IgnoredContent } from '../upgrade/step.ts';

/** It crosses threads, which texts do quickest. */
export interface FileEntity {
  readonly kind: KindName;
  /** Empty for a kind of which there is only one. */
  readonly id: string;
  /** The JSON form as text: the same for the same entity. */
  readonly text: string;
  readonly line: number;
  /** The lines of its parts as JSON text: paths joined by `/`, and lines. */
  readonly lines: string;
  /** Whether it is not as the format wants it, so that more would be reported of it than is wrong. */
  readonly isFaulty: boolean;
}

export interface ConfigFile {
  /** The version of the schema it was written for. */
  readonly version: number;
  readonly entities: readonly FileEntity[];
  readonly ignored: readonly IgnoredContent[];
  readonly problems: readonly TextProblem[];
  /** It is no XML. */
  readonly isMalformed?: boolean;
}

export function jsonOf(entity: FileEntity): JsonObject {
  return JSON.parse(entity.text) as JsonObject;
}

/** Finds the line of the part that a path leads to, or of the nearest one around it. */
export function lineFinder({ line, lines }: FileEntity): (path: Path) => number {
  const known = JSON.parse(lines) as Readonly<Record<string, number>>;
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const found = known[path.slice(0, length).join('/')];
      if (found !== undefined) return found;
    }
    return line;
  };
}
