// Reads an XML document into a tree. Strict, and safe with untrusted files: no document types, no entities but the usual five.
import { decode, isUtf8Name, otherEncoding } from './decode.ts';
import { positionFinder } from './line-and-column.ts';
import { MalformedXml, NO_DOCTYPE, newParser, readableMessage } from './parser.ts';
import type { TextProblem, XmlElement } from './tree.ts';
import { withoutMarks } from './unwritable.ts';

const MAX_DEPTH = 64;
/** A tree takes far more memory than its text. */
const MAX_ELEMENTS = 5_000_000;

export interface ReadXml {
  readonly root?: XmlElement;
  /** The line of the first comment. */
  readonly commentLine?: number;
  readonly problems: TextProblem[];
}

/** Reads up to the first problem: the text after it would be misread. How long a text may be is for the caller to say. */
export function readXml(input: string | Uint8Array): ReadXml {
  const decoded = typeof input === 'string' ? checked(input) : decode(input);
  return 'problem' in decoded ? { problems: [decoded.problem] } : readTree(decoded.text);
}

/**
 * Text in pieces is joined, blanks between elements and comments are dropped.
 * A processing instruction inside the root is an element whose name begins with a question mark.
 */
function readTree(text: string): ReadXml {
  const parser = newParser();
  const positionOf = positionFinder(text);
  const open: XmlElement[] = [];
  let count = 0;
  let root: XmlElement | undefined;
  let current: XmlElement | undefined;
  let closed: XmlElement | undefined;
  let commentLine: number | undefined;
  /** Up to here all is well. */
  let readTo = 0;
  /** When the parser speaks of something that began earlier. */
  let failedAt: number | undefined;

  const begin = (name: string, offset: number): XmlElement => {
    const { line, column } = positionOf(offset);
    const element: XmlElement = { name, attributes: new Map(), children: [], line, column };
    if (current) {
      dropBlanks(current);
      current.children.push(element);
    }
    return element;
  };
  const addText = (piece: string) => {
    if (!current) return;
    const { children } = current;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + withoutMarks(piece);
    else children.push(withoutMarks(piece));
  };

  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !isUtf8Name(encoding)) parser.fail(otherEncoding(encoding));
  });
  parser.on('doctype', () => {
    failedAt = text.lastIndexOf('<!DOCTYPE', parser.position);
    parser.fail(NO_DOCTYPE);
  });
  parser.on('opentagstart', ({ name }) => {
    if (open.length === MAX_DEPTH) parser.fail(`Elements are nested more than ${MAX_DEPTH} deep.`);
    if (++count > MAX_ELEMENTS) parser.fail(`There are more than ${MAX_ELEMENTS} elements.`);
    current = begin(name, text.lastIndexOf('<', parser.position - 2));
    root ??= current;
    open.push(current);
    readTo = parser.position;
  });
  parser.on('attribute', ({ name, value }) => {
    current!.attributes.set(name, withoutMarks(value));
    readTo = parser.position;
  });
  parser.on('text', addText);
  parser.on('cdata', (section) => {
    addText(section);
    readTo = parser.position;
  });
  parser.on('comment', () => {
    commentLine ??= positionOf(text.lastIndexOf('<!--', parser.position)).line;
    readTo = parser.position;
  });
  parser.on('processinginstruction', ({ target, body }) => {
    if (current) begin(`?${target}`, text.lastIndexOf('<?', parser.position - 2)).children.push(withoutMarks(body));
    readTo = parser.position;
  });
  parser.on('closetag', () => {
    if (current!.children.some(isElement)) dropBlanks(current!);
    closed = open.pop();
    current = open.at(-1);
    readTo = parser.position;
  });

  try {
    parser.write(text).close();
    return { root: root!, problems: [], ...(commentLine !== undefined && { commentLine }) };
  } catch (fault) {
    if (!(fault instanceof MalformedXml)) throw fault;
    const loose = LOOSE_AMPERSAND.exec(text.slice(readTo, parser.position));
    if (loose && failedAt === undefined)
      return { problems: [{ ...positionFinder(text)(readTo + loose.index), message: 'An ampersand is written as &amp;.' }] };
    const position = positionFinder(text)(failedAt ?? Math.max(0, parser.position - 1));
    return { problems: [{ ...position, message: translated(fault.message, open.at(-1), closed) }] };
  }
}

/** The parser takes all up to the next semicolon, wherever that is, for an entity. */
const LOOSE_AMPERSAND = /&(?!(?:#\d+|#x[\da-fA-F]+|[A-Za-z_][\w.-]*);)/;
const HALF_A_PAIR = /\p{Surrogate}/u;

/** Bytes that are UTF-8 hold no half pairs; the parser would take the next character for the other half. */
function checked(text: string): ReturnType<typeof decode> {
  if (!text.isWellFormed()) return { problem: { ...positionFinder(text)(text.search(HALF_A_PAIR)), message: 'Disallowed character.' } };
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text };
}

/** Blank text before an element only puts it on a line of its own. */
function dropBlanks({ children }: XmlElement): void {
  const last = children.at(-1);
  if (typeof last === 'string' && last.trim() === '') children.pop();
}

function isElement(child: XmlElement | string): boolean {
  return typeof child !== 'string';
}

/** With the element that it is about. */
function translated(message: string, open: XmlElement | undefined, closed: XmlElement | undefined): string {
  if (/^unclosed tag|^unexpected end/.test(message) && open) return `The document ends too early: ${named(open)} is not closed.`;
  if (message === 'unexpected close tag.' && closed) return `The closing tag is not that of ${named(closed)}.`;
  return readableMessage(message);
}

function named({ name, line }: XmlElement): string {
  return `<${name}> in line ${line}`;
}
