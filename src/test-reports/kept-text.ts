// Text that comes in pieces, of which only the beginning is kept.

export class KeptText {
  readonly #most: number;
  #text = '';

  constructor(most: number) {
    this.#most = most;
  }

  add(piece: string): void {
    const room = this.#most - this.#text.length;
    if (room > 0) this.#text += piece.slice(0, room);
  }

  /** Without blanks around it; undefined: there is nothing else. */
  get text(): string | undefined {
    return this.#text.trim() || undefined;
  }
}
