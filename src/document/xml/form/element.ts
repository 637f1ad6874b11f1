// An element made of parts: checks that there is nothing in it but those, and that they are where they belong.
import type { XmlElement } from '../../../kit/xml/tree.ts';
import { elementText, leafText, STEP } from '../../../kit/xml/write-xml.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { incomplete, misplacedElement, textBetweenElements, unknownAttribute, unknownElement } from './messages.ts';
import type { Form, Part } from './part.ts';
import type { Reading } from './reading.ts';

export interface Order {
  /** Whether the children must come in the order of the parts; written they always do. */
  readonly isSequence?: boolean;
}

export interface ElementForm extends Form {
  /** Up to where more children can follow; to be closed by `close`. */
  open(json: JsonObject, indent: string): string;
  close(indent: string): string;
  /** Nothing at all where there would only be the bare name. */
  writeUnlessEmpty(json: JsonObject, indent: string): string;
  readInto(json: JsonOut, element: XmlElement, reading: Reading, path: string): void;
}

export function element(name: string, parts: readonly Part[], order: Order = {}): ElementForm {
  const check = structureCheck(parts, order);
  const textPart = parts.find((part) => part.holdsText);
  const withAttributes = parts.filter((part) => part.writeAttributes);
  const withChildren = parts.filter((part) => part.writeChildren);
  const attributesOf = (json: JsonObject) => {
    let text = '';
    for (const part of withAttributes) text += part.writeAttributes!(json);
    return text;
  };
  const childrenOf = (json: JsonObject, indent: string) => {
    let text = '';
    for (const part of withChildren) text += part.writeChildren!(json, indent);
    return text;
  };
  const readInto = (json: JsonOut, xml: XmlElement, reading: Reading, path: string) => {
    check(xml, reading);
    for (const part of parts) part.read(xml, json, reading, path);
  };
  return {
    name,
    write: (json, indent) => {
      const attributes = attributesOf(json);
      if (textPart) return leafText(indent, name, attributes, textPart.writeText!(json));
      return elementText(indent, name, attributes, childrenOf(json, indent + STEP));
    },
    writeUnlessEmpty: (json, indent) => {
      const attributes = attributesOf(json);
      const children = childrenOf(json, indent + STEP);
      return attributes === '' && children === '' ? '' : elementText(indent, name, attributes, children);
    },
    open: (json, indent) => `${indent}<${name}${attributesOf(json)}>\n${childrenOf(json, indent + STEP)}`,
    close: (indent) => `${indent}</${name}>\n`,
    read: (xml, reading, path) => {
      const json: JsonOut = {};
      readInto(json, xml, reading, path);
      return json;
    },
    readInto,
  };
}

/** Processing instructions may stand anywhere. */
const INSTRUCTION = '?';

function structureCheck(parts: readonly Part[], { isSequence = false }: Order): (element: XmlElement, reading: Reading) => void {
  const attributes = new Set(parts.flatMap((part) => part.attributes ?? []));
  const indexByName = new Map(parts.flatMap((part, index) => (part.children ?? []).map((name) => [name, index] as const)));
  const holdsText = parts.some((part) => part.holdsText);
  const required = [...parts.keys()].filter((index) => parts[index]!.isRequired);

  return (element, reading) => {
    for (const name of element.attributes.keys()) if (!attributes.has(name)) reading.problem(element, unknownAttribute(name, element.name));
    if (element.children.length === 0 && required.length === 0) return;
    const seen = new Set<number>();
    let last = 0;
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (!holdsText && child.trim() !== '') reading.problem(element, textBetweenElements(element.name));
        continue;
      }
      if (child.name.startsWith(INSTRUCTION)) continue;
      const index = indexByName.get(child.name);
      if (index === undefined) reading.problem(child, unknownElement(child.name));
      else if ((seen.has(index) && !parts[index]!.isList) || (isSequence && index < last))
        reading.problem(child, misplacedElement(child.name, expected(seen, last)));
      else last = index;
      if (index !== undefined) seen.add(index);
    }
    for (const index of required) if (!seen.has(index)) reading.problem(element, incomplete(element.name, parts[index]!.children ?? []));
  };

  function expected(seen: ReadonlySet<number>, last: number): string[] {
    return parts.flatMap(({ children = [], isList }, index) => {
      const mayFollow = (!isSequence || index >= last) && (isList || !seen.has(index));
      return mayFollow ? children.filter((name) => !name.startsWith(INSTRUCTION)) : [];
    });
  }
}
