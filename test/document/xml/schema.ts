// The schema of the format: validation by libxml2, and its elements and attributes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';
import { readXml } from '../../../src/kit/xml/read-xml.ts';
import type { XmlElement } from '../../../src/kit/xml/tree.ts';

const text = readFileSync(join(import.meta.dirname, 'cruise-config.xsd'), 'utf8');
const validator = XsdValidator.fromDoc(XmlDocument.fromString(text));

/** The schema violations of a document; empty when it is valid. */
export function schemaProblems(document: string): string[] {
  const parsed = XmlDocument.fromString(document);
  try {
    validator.validate(parsed);
    return [];
  } catch (error) {
    if (error instanceof XmlLibError) return error.details.map(({ message, line }) => `${line}: ${message.trim()}`);
    throw error;
  } finally {
    parsed.dispose();
  }
}

interface Type {
  readonly attributes: Set<string>;
  /** The types of the children by their names; a type may be a simple one. */
  readonly children: Map<string, string>;
}

const ROOT_TYPE = 'cruiseType';
const types = readTypes();

/** Every attribute (`type@name`) and every child (`type/name`) that the schema knows. */
export function namesOfSchema(): Set<string> {
  return new Set([...types].flatMap(([name, type]) => namesOf(name, type.attributes, type.children.keys())));
}

/** The names of the schema that a document uses. */
export function namesUsed(element: XmlElement, type = ROOT_TYPE): Set<string> {
  const children = element.children.filter((child) => typeof child !== 'string').filter(({ name }) => !name.startsWith('?'));
  const names = namesOf(
    type,
    [...element.attributes.keys()].filter((name) => !name.includes(':')),
    children.map(({ name }) => name),
  );
  return new Set([
    ...names,
    ...children.flatMap((child) => {
      const childType = types.get(type)?.children.get(child.name) ?? '';
      return types.has(childType) ? [...namesUsed(child, childType)] : [];
    }),
  ]);
}

function namesOf(type: string, attributes: Iterable<string>, children: Iterable<string>): string[] {
  return [...Array.from(attributes, (name) => `${type}@${name}`), ...Array.from(children, (name) => `${type}/${name}`)];
}

function readTypes(): ReadonlyMap<string, Type> {
  const { root } = readXml(text);
  const named = (tag: string) => root!.children.filter((child) => typeof child !== 'string').filter((child) => child.name === tag);
  const groups = new Map(named('xs:group').map((group) => [group.attributes.get('name')!, group]));
  const readType = (element: XmlElement, type: Type): Type => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      const name = child.attributes.get('name') ?? '';
      if (child.name === 'xs:attribute') type.attributes.add(name);
      else if (child.name === 'xs:element') type.children.set(name, child.attributes.get('type')!);
      else if (child.name === 'xs:group') readType(groups.get(child.attributes.get('ref')!)!, type);
      else readType(child, type);
    }
    return type;
  };
  return new Map(
    named('xs:complexType').map((type) => [type.attributes.get('name')!, readType(type, { attributes: new Set(), children: new Map() })]),
  );
}
