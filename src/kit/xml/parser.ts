// The parser of XML that all readers share: strict, and nothing is expanded but the usual five entities.
import { SaxesParser } from 'saxes';

export type XmlParser = SaxesParser;

export const NO_DOCTYPE = 'A document type (DOCTYPE) is not accepted, nor are entities declared in one.';

/** Why a document is not read on, in words for people. */
export class MalformedXml extends Error {}

/** Throws `MalformedXml` at the first problem: the text after it would be misread. */
export function newParser(): XmlParser {
  const parser = new SaxesParser({ position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  parser.on('error', ({ message }) => {
    throw new MalformedXml(message);
  });
  return parser;
}

/** The sentences of the parser that leave a reader alone. */
export function readableMessage(message: string): string {
  if (/^unclosed tag|^unexpected end/.test(message)) return 'The document ends too early.';
  if (message === 'document must contain a root element.') return 'There is no element in the document.';
  if (message === 'undefined entity.') return 'Undefined entity: only &amp;, &lt;, &gt;, &quot;, &apos; and numbers are known.';
  return message.charAt(0).toUpperCase() + message.slice(1);
}
