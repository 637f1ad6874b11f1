// Members that stand in attributes.
import type { XmlElement } from '../../../kit/xml/tree.ts';
import { attributeText } from '../../../kit/xml/write-xml.ts';
import type { Json } from '../../../shape/json/json.ts';
import { missingAttribute } from './messages.ts';
import type { Part } from './part.ts';
import type { Reading } from './reading.ts';
import { BOOLEAN, TEXT, type ValueType } from './values.ts';

interface Options {
  readonly type?: ValueType;
  /** The value of the member without the attribute; undefined: it is left out. */
  readonly absent?: Json | undefined;
  /** Another value that the absence of the attribute stands for. */
  readonly alsoAbsent?: Json;
}

export function required(name: string, member: string, type: ValueType = TEXT): Part {
  const { toText = textOf } = type;
  return {
    attributes: [name],
    writeAttributes: (json) => attributeText(name, toText(json[member] ?? '')),
    read: (element, json, reading) => {
      const text = element.attributes.get(name);
      if (text === undefined) reading.problem(element, missingAttribute(name, element.name));
      else json[member] = checked(text, type, element, name, reading);
    },
  };
}

export function optional(name: string, member: string, { type = TEXT, absent, alsoAbsent }: Options = {}): Part {
  const { toText = textOf } = type;
  return {
    attributes: [name],
    writeAttributes: (json) => {
      const value = json[member];
      const isAbsent = value === undefined || value === null || value === absent || value === alsoAbsent;
      return isAbsent ? '' : attributeText(name, toText(value));
    },
    read: (element, json, reading) => {
      const text = element.attributes.get(name);
      if (text !== undefined) json[member] = checked(text, type, element, name, reading);
      else if (absent !== undefined) json[member] = absent;
    },
  };
}

export function flag(name: string, member: string, absent: boolean): Part {
  return optional(name, member, { type: BOOLEAN, absent });
}

/** Read when it is there, never written. */
export function neverWritten(name: string, member: string): Part {
  const { attributes, read } = optional(name, member);
  return { attributes: attributes!, read };
}

/** Allowed, and of no meaning here. */
export function ignoredAttribute(name: string, isReported = true): Part {
  return {
    attributes: [name],
    read: (element, _, reading) => {
      if (isReported && element.attributes.has(name)) reading.ignored(element, `the attribute '${name}' of <${element.name}>`);
    },
  };
}

/** A secret: read as clear or cipher text, written as cipher text only. Clear text wins, even when it is blank: then there is no secret. */
export function password(absent?: null): Part {
  const encrypted = optional('encryptedPassword', 'encrypted_password', { absent });
  return {
    ...encrypted,
    attributes: ['password', 'encryptedPassword'],
    read: (element, json, reading, path) => {
      const plain = element.attributes.get('password');
      if (plain === undefined) encrypted.read(element, json, reading, path);
      else if (plain.trim() !== '') json.password = plain;
      else if (absent !== undefined) json.encrypted_password = absent;
    },
  };
}

function checked(text: string, { fault, toJson }: ValueType, element: XmlElement, name: string, reading: Reading): Json {
  const message = fault?.(text, element.name, name);
  if (message) reading.problem(element, message);
  return toJson ? toJson(text) : text;
}

function textOf(value: Json): string {
  return String(value);
}
