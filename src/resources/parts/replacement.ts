// Parameters replaced by their values, within limits. Whether these are kept is found out without making a text: a short one could ask for more than there is room for.

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** `#{name}` stands for the value of a parameter, whatever its letter case, `##` for one `#`. No name has a `#`, so that no text is looked through twice. */
export const PARAMETER = /##|#\{([^}#]*)\}/g;

/** Maximum number of characters by which a text, and all texts of a pipeline together, may grow. Stages taken from a template count apart. */
export const MAX_GROWTH = { text: 100_000, all: 1_000_000 } as const;

/** For the texts of one pipeline: each is to be handed over once, in the order in which they stand. */
export class Replacement {
  readonly #parameters: readonly Parameter[];
  #values: ReadonlyMap<string, string> | undefined;
  #growth = 0;

  constructor(parameters: readonly Parameter[] = []) {
    this.#parameters = parameters;
  }

  /** How much longer all texts have become. */
  get growth(): number {
    return this.#growth;
  }

  /** Values are not looked through again. A text that would become too long stays as it is written. */
  replaced(text: string): string {
    return this.limitFor(text) ? text : text.replace(PARAMETER, (use, name: string | undefined) => this.#valueOf(use, name));
  }

  /** The limit that keeps the text as it is; undefined: none, and it counts as replaced. */
  limitFor(text: string): keyof typeof MAX_GROWTH | undefined {
    const growth = Math.max(0, this.#growthOf(text));
    if (growth > MAX_GROWTH.text) return 'text';
    if (this.#growth + growth > MAX_GROWTH.all) return 'all';
    this.#growth += growth;
    return undefined;
  }

  #growthOf(text: string): number {
    let growth = 0;
    for (const [use, name] of text.matchAll(PARAMETER)) growth += this.#valueOf(use, name).length - use.length;
    return growth;
  }

  #valueOf(use: string, name: string | undefined): string {
    if (name === undefined) return '#';
    // Most pipelines have no text that needs them.
    this.#values ??= new Map(this.#parameters.map((parameter) => [parameter.name.toLowerCase(), parameter.value]));
    return this.#values.get(name.toLowerCase()) ?? use;
  }
}
