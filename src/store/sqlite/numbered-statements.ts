// Statements on their way to the thread that writes. The text of each is sent once; from then on its number stands for it, because copying
// and hashing the same texts with every write takes longer than all else that is sent.
import type { NumberedStatement, Statement } from './writer-messages.ts';

/** Texts that come later are sent as they are, so that statements of very many forms take no memory for ever. */
const MAX_NUMBERED = 500;

/** In the thread that sends. */
export class StatementNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #announce: (text: string) => void;

  /** `announce` sends a text to the other side, which gives it the next number. */
  constructor(announce: (text: string) => void) {
    this.#announce = announce;
  }

  encode({ sql, parameters }: Statement): NumberedStatement {
    return [this.#numbers.get(sql) ?? this.#added(sql), ...parameters];
  }

  #added(sql: string): string | number {
    const number = this.#numbers.size;
    if (number >= MAX_NUMBERED) return sql;
    this.#announce(sql);
    this.#numbers.set(sql, number);
    return number;
  }
}

/** In the thread that receives. */
export class NumberedTexts {
  readonly #texts: string[] = [];

  add(text: string): void {
    this.#texts.push(text);
  }

  decode([textOrNumber, ...parameters]: NumberedStatement): Statement {
    return { sql: typeof textOrNumber === 'string' ? textOrNumber : this.#texts[textOrNumber]!, parameters };
  }
}
