// Builds the body of an entity, and keeps the position of every value in the file, in the order in which the body is read through later.
import type { Json, JsonOut } from '../../shape/json/json.ts';
import type { Report } from '../report.ts';

export class BodyBuilder {
  readonly #offsets: number[] = [];

  value<T extends string | number | boolean>(at: number, value: T): T {
    this.#offsets.push(at);
    return value;
  }

  /** An object whose members follow. */
  object(at: number): JsonOut {
    this.#offsets.push(at);
    return {};
  }

  list<T>(at: number, items: readonly T[], each: (item: T, index: number) => Json | undefined): Json[] {
    this.#offsets.push(at);
    return items.map(each).filter((item) => item !== undefined);
  }

  positions(report: Report): Uint32Array {
    const positions = new Uint32Array(2 * this.#offsets.length);
    for (const [index, offset] of this.#offsets.entries()) {
      const { line, column } = report.position(offset);
      positions[2 * index] = line;
      positions[2 * index + 1] = column;
    }
    return positions;
  }
}
