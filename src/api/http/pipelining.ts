// Bounds what one connection has under way: a client may send the next requests before it has the answers to those before.

/** Far more than any client sends ahead. */
export const MOST_UNDER_WAY = 256;

export class Pipelining {
  readonly #underWay = new WeakMap<object, number>();

  /** A request of the connection waits for something, until `end`. Whether the connection may go on. */
  begin(connection: object): boolean {
    const count = (this.#underWay.get(connection) ?? 0) + 1;
    this.#underWay.set(connection, count);
    return count <= MOST_UNDER_WAY;
  }

  end(connection: object): void {
    this.#underWay.set(connection, (this.#underWay.get(connection) ?? 1) - 1);
  }
}
