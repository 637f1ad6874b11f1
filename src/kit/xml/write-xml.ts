// The pieces of an XML text, pretty printed: the same content always gives the same bytes.
import { MAY_NEED_MARKS, withMarks } from './unwritable.ts';

export const PROLOG = '<?xml version="1.0" encoding="utf-8"?>\n';
/** One level of indentation. */
export const STEP = '  ';

// Whether there is anything to do is asked first: most texts need nothing.
const SPECIAL_IN_TEXT = new RegExp(`[&<>\\r${MAY_NEED_MARKS}]`);
const SPECIAL_IN_VALUE = new RegExp(`[&<>"\\r\\n\\t${MAY_NEED_MARKS}]`);
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
  '\n': '&#xA;',
  '\t': '&#x9;',
};

export function escapedText(text: string): string {
  return SPECIAL_IN_TEXT.test(text) ? withMarks(text).replace(/[&<>\r]/g, toReference) : text;
}

/** With its leading blank, ready to stand after the name of an element. */
export function attributeText(name: string, value: string): string {
  const escaped = SPECIAL_IN_VALUE.test(value) ? withMarks(value).replace(/[&<>"\r\n\t]/g, toReference) : value;
  return ` ${name}="${escaped}"`;
}

function toReference(character: string): string {
  return REFERENCES[character]!;
}

/** `inside` is lines of their own; without any, the element is empty. */
export function elementText(indent: string, name: string, attributes: string, inside: string): string {
  return inside === '' ? `${indent}<${name}${attributes} />\n` : `${indent}<${name}${attributes}>\n${inside}${indent}</${name}>\n`;
}

/** An element with text in it stands on one line, however long: blanks around the text would belong to it. */
export function leafText(indent: string, name: string, attributes: string, text: string): string {
  return text === '' ? `${indent}<${name}${attributes} />\n` : `${indent}<${name}${attributes}>${escapedText(text)}</${name}>\n`;
}

/** Like a leaf, with the text as it is in CDATA sections; only characters that they cannot hold stand outside. */
export function literalLeafText(indent: string, name: string, text: string): string {
  if (text === '') return `${indent}<${name} />\n`;
  const sections = withMarks(text).replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#xD;<![CDATA[');
  return `${indent}<${name}><![CDATA[${sections}]]></${name}>\n`;
}

/** A processing instruction: for programs that know the target, and nothing to all others. */
export function instructionText(indent: string, target: string, body: string): string {
  return `${indent}<?${target} ${body}?>\n`;
}
