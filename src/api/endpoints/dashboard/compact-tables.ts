// The values that rows of the dashboard share: texts, stages, places and patterns of runs, each with a number. An answer has numbers of its
// own for the entries that it uses: callers do not get names of pipelines that they may not see.

/** Entries that were given a number, each once. */
class NumberedEntries<Entry> {
  readonly #numbers = new Map<string, number>();
  readonly all: Entry[] = [];

  numberOf(key: string, entry: () => Entry): number {
    return this.#numbers.getOrInsertComputed(key, () => this.all.push(entry()) - 1);
  }
}

interface Pattern {
  /** Number of a text. */
  readonly approver: number;
  /** A digit for each stage. */
  readonly statuses: string;
  readonly stages: readonly number[];
}

/** Of all rows, for all callers. */
export class SharedTables {
  /** As JSON. The first is none. */
  readonly texts = new NumberedEntries<string>();
  /** As JSON. */
  readonly stages = new NumberedEntries<string>();
  /** Numbers of texts, without those at the end that say nothing. */
  readonly places = new NumberedEntries<readonly number[]>();
  readonly patterns = new NumberedEntries<Pattern>();

  constructor() {
    this.text(null);
  }

  text(text: string | null): number {
    const json = JSON.stringify(text);
    return this.texts.numberOf(json, () => json);
  }

  stage(name: string, isManual: boolean, onlyOnSuccess: boolean): number {
    const json = JSON.stringify([name, Number(isManual), Number(onlyOnSuccess)]);
    return this.stages.numberOf(json, () => json);
  }

  place(names: readonly (string | null)[]): number {
    const numbers = names.map((name) => this.text(name));
    return this.places.numberOf(numbers.join(), () => trimmed(numbers));
  }

  pattern(approver: string, statuses: string, stages: readonly number[]): number {
    const by = this.text(approver);
    return this.patterns.numberOf(`${by} ${statuses} ${stages.join()}`, () => ({ approver: by, statuses, stages }));
  }
}

/** The tables of one answer, with numbers of its own. */
export class AnswerTables {
  readonly #texts: RenumberedEntries;
  readonly #stages: RenumberedEntries;
  readonly #places: RenumberedEntries;
  readonly #patterns: RenumberedEntries;

  constructor(shared: SharedTables) {
    const texts = new RenumberedEntries((number) => shared.texts.all[number]!);
    const stages = new RenumberedEntries((number) => shared.stages.all[number]!);
    const ofPlace = (number: number) => `[${shared.places.all[number]!.map((text) => texts.numberOf(text)).join()}]`;
    const ofPattern = (number: number) => {
      const { approver, statuses, stages: inside } = shared.patterns.all[number]!;
      return `[${[texts.numberOf(approver), `"${statuses}"`, ...inside.map((stage) => stages.numberOf(stage))].join()}]`;
    };
    // Number 0 is none in every answer.
    texts.numberOf(0);
    [this.#texts, this.#stages, this.#places, this.#patterns] = [
      texts,
      stages,
      new RenumberedEntries(ofPlace),
      new RenumberedEntries(ofPattern),
    ];
  }

  text(number: number): number {
    return this.#texts.numberOf(number);
  }

  stage(number: number): number {
    return this.#stages.numberOf(number);
  }

  place(number: number): number {
    return this.#places.numberOf(number);
  }

  pattern(number: number): number {
    return this.#patterns.numberOf(number);
  }

  /** The members of the answer. */
  get json(): string {
    const members = { texts: this.#texts, stages: this.#stages, places: this.#places, patterns: this.#patterns };
    return Object.entries(members)
      .map(([name, { used }]) => `"${name}":[${used.join()}]`)
      .join();
  }
}

class RenumberedEntries {
  readonly #jsonOf: (number: number) => string;
  readonly #numbers: number[] = [];
  readonly used: string[] = [];

  constructor(jsonOf: (number: number) => string) {
    this.#jsonOf = jsonOf;
  }

  numberOf(number: number): number {
    return (this.#numbers[number] ??= this.used.push(this.#jsonOf(number)) - 1);
  }
}

/** Without the numbers at the end that say nothing. */
export function trimmed(numbers: readonly number[]): number[] {
  return numbers.slice(0, numbers.findLastIndex((number) => number !== 0) + 1);
}
