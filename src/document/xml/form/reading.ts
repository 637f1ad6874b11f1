// What reading a document gathers: the entities with their places, and what is wrong or left aside.
import type { TextProblem, XmlElement } from '../../../kit/xml/tree.ts';
import type { JsonObject } from '../../../shape/json.ts';

/** The JSON form of an entity: that of the API, without links. */
export type EntityJson = JsonObject;

export interface ReadEntity {
  readonly kind: string;
  readonly json: EntityJson;
  readonly line: number;
  /** The line of every object inside that has an element of its own, by its JSON path joined with '/'. */
  readonly lines: ReadonlyMap<string, number>;
}

export interface Reading {
  readonly entities: ReadEntity[];
  /** Of the entity that is being read. */
  readonly lines: Map<string, number>;
  problem(at: XmlElement, message: string): void;
  /** Something that the format allows and this server has no place for. */
  ignored(at: XmlElement, message: string): void;
}

/** Nobody reads on after so many. */
const MOST = 1000;

export function startReading(problems: TextProblem[], ignored: TextProblem[]): Reading {
  const addTo =
    (list: TextProblem[]) =>
    ({ line, column }: XmlElement, message: string) => {
      if (list.length < MOST) list.push({ line, column, message });
    };
  return { entities: [], lines: new Map(), problem: addTo(problems), ignored: addTo(ignored) };
}

/** Where a member is, as the key of `lines`. */
export function pathTo(path: string, member: string | number): string {
  return path === '' ? String(member) : `${path}/${member}`;
}
