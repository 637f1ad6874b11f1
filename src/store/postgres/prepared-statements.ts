// The statements that the server has prepared for one connection.

/** How the values of one column are read. */
export interface ResultColumn {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

export interface PreparedStatement {
  readonly name: string;
  /** Of its answer: known, so the server need not describe them again. */
  readonly columns: readonly ResultColumn[];
}

/** Of different statements, so many stay prepared. */
const MAX_PREPARED = 500;

export class PreparedStatements {
  readonly #max: number;
  /** Statements of which the server has said that it has prepared them. */
  readonly #known = new Map<string, PreparedStatement>();
  readonly #underWay = new Set<string>();
  #discarded: string[] = [];
  #count = 0;

  constructor(max = MAX_PREPARED) {
    this.#max = max;
  }

  find(sql: string): PreparedStatement | undefined {
    return this.#known.get(sql);
  }

  /** A name to prepare it by; undefined: another batch is preparing it, or there are enough. Then it is sent unprepared. */
  begin(sql: string): string | undefined {
    if (this.#known.has(sql) || this.#underWay.has(sql) || this.#known.size + this.#underWay.size >= this.#max) return undefined;
    this.#underWay.add(sql);
    return `s${this.#count++}`;
  }

  keep(sql: string, prepared: PreparedStatement): void {
    this.#underWay.delete(sql);
    this.#known.set(sql, prepared);
  }

  /** For a failed batch: it is not known whether the server has prepared the statement. */
  discard(sql: string, name: string): void {
    this.#underWay.delete(sql);
    this.#discarded.push(name);
  }

  /** Names that the server is to forget. */
  takeDiscarded(): readonly string[] {
    const discarded = this.#discarded;
    if (discarded.length > 0) this.#discarded = [];
    return discarded;
  }
}
