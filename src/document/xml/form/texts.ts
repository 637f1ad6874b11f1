// Members that stand in the text of an element, and lists of texts.
import type { XmlElement } from '../../../kit/xml/tree.ts';
import { attributeText, leafText, literalLeafText } from '../../../kit/xml/write-xml.ts';
import type { Json } from '../../../shape/json/json.ts';
import { required } from './attributes.ts';
import { element } from './element.ts';
import { declaredTwice, invalidText } from './messages.ts';
import { childNamed, childrenNamed, type Part, textOf } from './part.ts';
import type { Reading } from './reading.ts';
import type { ValueType } from './values.ts';

/** The text of the element itself. */
export function content(member: string): Part {
  return {
    holdsText: true,
    writeText: (json) => String(json[member] ?? ''),
    read: (holder, json) => {
      json[member] = textOf(holder);
    },
  };
}

interface Options {
  readonly isRequired?: boolean;
  /** The value of the member without the element, which is not written; undefined: the member is left out. */
  readonly absent?: Json;
  /** Whether to write it as it is, in a CDATA section. */
  readonly isLiteral?: boolean;
}

/** The text of a child. */
export function text(name: string, member: string, { isRequired = false, absent, isLiteral = false }: Options = {}): Part {
  return {
    children: [name],
    isRequired,
    writeChildren: (json, indent) => {
      const value = json[member];
      if (value === undefined || value === null || value === absent) return '';
      return isLiteral ? literalLeafText(indent, name, String(value)) : leafText(indent, name, '', String(value));
    },
    read: (holder, json, reading) => {
      const child = childNamed(holder, name);
      if (child) json[member] = leafOf(child, reading);
      else if (absent !== undefined) json[member] = absent;
    },
  };
}

/** A value in clear or as cipher text. */
export function secretable({ isRequired = false } = {}): Part {
  const plain = text('value', 'value');
  const encrypted = text('encryptedValue', 'encrypted_value');
  return {
    children: ['value', 'encryptedValue'],
    isRequired,
    writeChildren: (json, indent) => plain.writeChildren!(json, indent) + encrypted.writeChildren!(json, indent),
    read: (...args) => {
      plain.read(...args);
      encrypted.read(...args);
    },
  };
}

/** A decimal number in a child; whole ones are written with a fraction, too. */
export function decimal(name: string, member: string): Part {
  return {
    children: [name],
    writeChildren: (json, indent) => {
      const value = json[member];
      if (typeof value !== 'number') return '';
      return leafText(indent, name, '', Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(1) : String(value));
    },
    read: (holder, json, reading) => {
      const child = childNamed(holder, name);
      if (!child) return;
      const written = leafOf(child, reading);
      const value = written.trim() === '' ? Number.NaN : Number(written);
      if (Number.isFinite(value)) json[member] = value;
      else reading.problem(child, invalidText(written, 'double'));
    },
  };
}

interface ListOptions {
  readonly isTrimmed?: boolean;
  /** Whether the member is left out when there are none. */
  readonly isLeftOut?: boolean;
}

/** A list of texts, each in a child of its own. */
export function texts(member: string, name: string, { isTrimmed = false, isLeftOut = false }: ListOptions = {}): Part {
  return {
    children: [name],
    isList: true,
    writeChildren: (json, indent) => {
      let lines = '';
      for (const value of (json[member] ?? []) as readonly string[]) lines += leafText(indent, name, '', value);
      return lines;
    },
    read: (holder, json, reading) => {
      const found = childrenNamed(holder, name).map((child) => leafOf(child, reading));
      if (found.length > 0 || !isLeftOut) json[member] = isTrimmed ? found.map((one) => one.trim()) : found;
    },
  };
}

interface ValueOptions {
  readonly type?: ValueType;
  /** Whether each may be there only once. */
  readonly isUnique?: boolean;
}

/** A list of texts, each in the attribute of a child. */
export function values(member: string, name: string, attribute: string, { type, isUnique = false }: ValueOptions = {}): Part {
  const item = element(name, [required(attribute, 'value', type)]);
  return {
    children: [name],
    isList: true,
    writeChildren: (json, indent) => {
      let lines = '';
      for (const value of (json[member] ?? []) as readonly string[]) lines += `${indent}<${name}${attributeText(attribute, value)} />\n`;
      return lines;
    },
    read: (holder, json, reading, path) => {
      const found: Json[] = [];
      for (const child of childrenNamed(holder, name)) {
        const value = item.read(child, reading, path).value ?? '';
        if (isUnique && found.includes(value)) reading.problem(child, declaredTwice(String(value), holder.name));
        found.push(value);
      }
      json[member] = found;
    },
  };
}

/** Nothing but text may be in it. */
const leaf = element('', [content('text')]);

function leafOf(child: XmlElement, reading: Reading): string {
  const { children, attributes } = child;
  if (attributes.size === 0 && children.length === 1 && typeof children[0] === 'string') return children[0];
  return String(leaf.read(child, reading, '').text);
}
