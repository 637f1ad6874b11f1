// Reads an XML document piece by piece, without keeping it: for large untrusted files, with limits for all that would have to be kept.
import { LongSections } from './long-sections.ts';
import { MalformedXml, NO_DOCTYPE, newParser, readableMessage, type XmlParser } from './parser.ts';

export interface XmlHandler {
  /** Values that are too long are cut. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /** Text of the element that is open, in any number of pieces. */
  text(piece: string): void;
  close(name: string): void;
  /** Whether text is wanted where the document is now: other text is not even put together. */
  readonly wantsText: boolean;
}

export interface XmlLimits {
  readonly maxDepth: number;
  /** Characters of one tag with all its attributes. */
  readonly maxTagLength: number;
  /** Characters of a value that are kept. */
  readonly maxValueLength: number;
}

const MAX_ATTRIBUTES = 1000;

export class XmlStream {
  readonly #parser: XmlParser;
  readonly #handler: XmlHandler;
  readonly #limits: XmlLimits;
  readonly #sections = new LongSections();
  #depth = 0;
  #line = 1;
  /** Characters of the pieces before. */
  #read = 0;
  /** Of the tag that is open. */
  #attributes = new Map<string, string>();
  /** Where the tag began that is not complete; undefined: there is none. */
  #tagStart: number | undefined;
  #isBroken = false;

  constructor(handler: XmlHandler, limits: XmlLimits) {
    this.#parser = newParser();
    this.#handler = handler;
    this.#limits = limits;
    this.#listen();
  }

  /** Reads the next piece; returns a message about the problem, if there is one. Nothing can be read after it. */
  write(piece: string): string | undefined {
    return this.#write(this.#sections.take(piece));
  }

  end(): string | undefined {
    return this.#write(this.#sections.rest()) ?? this.#try('', () => this.#parser.close());
  }

  #write(text: string): string | undefined {
    return this.#try(text, () => {
      this.#parser.write(text);
      // Between two pieces the position of the parser is of no use.
      this.#checkTag(this.#read + text.length);
    });
  }

  #try(piece: string, work: () => void): string | undefined {
    if (this.#isBroken) return undefined;
    try {
      work();
      this.#line += lineBreaks(piece, piece.length);
      return undefined;
    } catch (fault) {
      this.#isBroken = true;
      if (!(fault instanceof MalformedXml)) throw fault;
      const line = this.#line + lineBreaks(piece, this.#parser.position - this.#read);
      return `${readableMessage(fault.message)} (line ${line})`;
    } finally {
      this.#read += piece.length;
    }
  }

  #listen(): void {
    const parser = this.#parser;
    const addText = (piece: string) => this.#handler.text(piece);
    const listenToText = () => (this.#handler.wantsText ? parser.on('text', addText) : parser.off('text'));
    parser.on('doctype', () => parser.fail(NO_DOCTYPE));
    parser.on('opentagstart', () => {
      if (++this.#depth > this.#limits.maxDepth) parser.fail(`Elements are nested more than ${this.#limits.maxDepth} deep.`);
      this.#tagStart = parser.position;
      this.#attributes = new Map();
    });
    parser.on('attribute', ({ name, value }) => {
      this.#checkTag(parser.position);
      if (this.#attributes.size >= MAX_ATTRIBUTES) parser.fail(`A tag has more than ${MAX_ATTRIBUTES} attributes.`);
      this.#attributes.set(name, value.slice(0, this.#limits.maxValueLength));
    });
    parser.on('opentag', ({ name }) => {
      this.#tagStart = undefined;
      this.#handler.open(name, this.#attributes);
      listenToText();
    });
    parser.on('cdata', (section) => {
      if (this.#handler.wantsText) addText(section);
    });
    parser.on('closetag', ({ name }) => {
      this.#depth--;
      this.#handler.close(name);
      listenToText();
    });
  }

  #checkTag(position: number): void {
    const { maxTagLength } = this.#limits;
    if (this.#tagStart !== undefined && position - this.#tagStart > maxTagLength)
      this.#parser.fail(`A tag is longer than ${maxTagLength} characters.`);
  }
}

function lineBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
