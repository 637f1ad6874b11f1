// Text that comes in pieces, of which only the beginning is kept.

export class KeptText {
  readonly #maxLength: number;
  #text = '';

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(piece: string): void {
    const room = this.#maxLength - this.#text.length;
    if (room > 0) this.#text += piece.slice(0, room);
  }

  /** Without blanks around it; undefined: there is nothing else. */
  get text(): string | undefined {
    return this.#text.trim() || undefined;
  }
}
