// Elements of feeds.
import { attributeText, elementText, leafText, PROLOG } from '../../../kit/xml/write-xml.ts';
import type { Answer } from '../../engine/route.ts';
import { etagOfText } from '../../http/headers/etags.ts';

export type Attributes = Readonly<Record<string, string | number>>;
/** XML that is not indented: blanks before a line of a text would belong to it. */
export type Lines = string;

export function element(name: string, attributes: Attributes, ...inside: readonly Lines[]): Lines {
  return elementText('', name, written(attributes), inside.join(''));
}

export function leaf(name: string, text: string | number, attributes: Attributes = {}): Lines {
  return leafText('', name, written(attributes), String(text));
}

export function link(href: string, more: Attributes = { rel: 'self' }): Lines {
  return element('link', { ...more, href });
}

export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** `base`: the address of the server, with which its links begin. */
export function xmlAnswer(root: Lines, base: string, type = XML): Answer {
  const text = PROLOG + root;
  const etag = etagOfText(text, base, LINKS);
  return { status: 200, text, bytes: Buffer.byteLength(text), type: `${type}; charset=utf-8`, etag };
}

export const XML = 'application/xml';
export const ATOM = 'application/atom+xml';
/** What stands before the links of feeds. */
const LINKS = ['href="', 'webUrl="', 'baseUri="', '<id>'];

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => attributeText(name, String(value)))
    .join('');
}
