// Ends long sections (CDATA, comments, processing instructions) where a piece of a document ends, and begins them anew. Until a section
// ends the parser keeps it, and where its end could be it adds character by character, which takes 40 times the memory of the text.

interface Section {
  readonly begin: string;
  readonly end: string;
  /** The beginning of the rest of one: a processing instruction needs a name. */
  readonly again: string;
}

const SECTIONS: readonly Section[] = [
  { begin: '<![CDATA[', end: ']]>', again: '<![CDATA[' },
  { begin: '<!--', end: '-->', again: '<!--' },
  { begin: '<?', end: '?>', again: '<?more ' },
];
/** Shorter ones stay whole: the beginnings of some have a meaning. */
const LONG = 4096;

export class LongSections {
  #section: Section | undefined;
  /** Characters of the section that were given on since its beginning, or since it was begun anew. */
  #length = 0;
  /** The end of the last piece: the beginning or the end of a section may be cut there. */
  #held = '';

  /** The text for the parser: the same, with long sections in several. */
  take(piece: string): string {
    const text = this.#held + piece;
    const given = text.slice(0, this.#follow(text));
    this.#held = text.slice(given.length);
    if (!this.#section || this.#length < LONG) return given;
    this.#length = 0;
    return given + this.#section.end + this.#section.again;
  }

  /** What is left when there is no more to come. */
  rest(): string {
    return this.#held;
  }

  /** Returns how much of the text can be given on. */
  #follow(text: string): number {
    for (let at = 0; ; ) {
      if (this.#section) {
        const end = text.indexOf(this.#section.end, at);
        if (end < 0) return this.#goOn(this.#section, text, at);
        at = end + this.#section.end.length;
        this.#section = undefined;
      }
      const start = text.indexOf('<', at);
      if (start < 0) return text.length;
      this.#section = SECTIONS.find(({ begin }) => text.startsWith(begin, start));
      this.#length = 0;
      if (!this.#section && isCut(text, start)) return start;
      at = start + (this.#section?.begin.length ?? 1);
    }
  }

  /** All but a possible beginning of the end; and a comment cannot end after a hyphen. */
  #goOn({ end }: Section, text: string, from: number): number {
    let kept = Math.max(from, text.length - end.length + 1);
    if (kept > from && end.startsWith('-') && text[kept - 1] === '-') kept--;
    this.#length += kept - from;
    return kept;
  }
}

/** Whether the next piece may make it the beginning of a section. */
function isCut(text: string, start: number): boolean {
  return SECTIONS.some(({ begin }) => text.length - start < begin.length && begin.startsWith(text.slice(start)));
}
