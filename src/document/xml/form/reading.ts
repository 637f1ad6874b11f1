// The result of reading a document: the entities with their places, problems, and ignored parts.
import type { TextProblem, XmlElement } from '../../../kit/xml/tree.ts';
import type { KindName } from '../../../shape/configuration.ts';
import type { JsonObject } from '../../../shape/json/json.ts';

/** The JSON form of an entity: that of the API, without links. */
export type EntityJson = JsonObject;

export interface ReadEntity {
  readonly kind: KindName;
  readonly json: EntityJson;
  readonly line: number;
  /** The line of every object inside that has an element of its own, by its JSON path joined with '/'. */
  readonly lines: ReadonlyMap<string, number>;
  /** Whether its element is not as the format wants it. */
  readonly isFaulty?: boolean;
}

/** Something that the format allows and that is not taken over. */
export interface IgnoredPart {
  readonly line: number;
  readonly what: string;
  readonly why: string;
}

export interface Reading {
  readonly entities: ReadEntity[];
  /** Of the entity that is being read. */
  readonly lines: Map<string, number>;
  problem(at: XmlElement, message: string): void;
  /** The number of problems so far, reported or not. */
  problemCount(): number;
  ignored(at: XmlElement, what: string, why?: string): void;
}

/** More would not help the reader. */
const MAX_MESSAGES = 1000;
const NOT_SUPPORTED = 'This server has no place for it.';

export function startReading(problems: TextProblem[], ignored: IgnoredPart[]): Reading {
  let count = 0;
  return {
    entities: [],
    lines: new Map(),
    problem: ({ line, column }, message) => {
      if (count++ < MAX_MESSAGES) problems.push({ line, column, message });
    },
    problemCount: () => count,
    ignored: ({ line }, what, why = NOT_SUPPORTED) => {
      if (ignored.length < MAX_MESSAGES) ignored.push({ line, what, why });
    },
  };
}

/** Where a member is, as the key of `lines`. */
export function pathTo(path: string, member: string | number): string {
  return path === '' ? String(member) : `${path}/${member}`;
}
