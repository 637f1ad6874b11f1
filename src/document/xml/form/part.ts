// The words of the declarations: a form is how an object stands in the XML, a part is how some of its members do. Each says it once, for reading and writing.
import type { XmlElement } from '../../../kit/xml/tree.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import type { Reading } from './reading.ts';

export interface Part {
  readonly attributes?: readonly string[];
  /** The names of the child elements in which it stands. */
  readonly children?: readonly string[];
  /** Whether it may have several children. */
  readonly isList?: boolean;
  /** Whether it must have a child. */
  readonly isRequired?: boolean;
  /** Whether the text of the element is its. */
  readonly holdsText?: boolean;
  writeAttributes?(json: JsonObject): string;
  /** Whole lines. */
  writeChildren?(json: JsonObject, indent: string): string;
  writeText?(json: JsonObject): string;
  /** Puts its members into the JSON, also when there is nothing of it in the element. */
  read(element: XmlElement, json: JsonOut, reading: Reading, path: string): void;
}

export interface Form {
  readonly name: string;
  write(json: JsonObject, indent: string): string;
  read(element: XmlElement, reading: Reading, path: string): JsonOut;
}

/** One of several forms: chosen by the JSON when writing, by the name of the element when reading. */
export interface Choice {
  readonly names: readonly string[];
  formOf(json: JsonObject): Form;
  formNamed(element: string): Form | undefined;
}

export function only(form: Form): Choice {
  return { names: [form.name], formOf: () => form, formNamed: (name) => (name === form.name ? form : undefined) };
}

export function byType(forms: Readonly<Record<string, Form>>, member = 'type'): Choice {
  const byName = new Map(Object.values(forms).map((form) => [form.name, form]));
  return {
    names: [...byName.keys()],
    formOf: (json) => forms[String(json[member])]!,
    formNamed: (name) => byName.get(name),
  };
}

export function childrenIn(element: XmlElement, { formNamed }: Choice): { readonly child: XmlElement; readonly form: Form }[] {
  const found = [];
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const form = formNamed(child.name);
    if (form) found.push({ child, form });
  }
  return found;
}

export function childNamed(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) if (typeof child !== 'string' && child.name === name) return child;
  return undefined;
}

export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => typeof child !== 'string').filter((child) => child.name === name);
}

export function textOf({ children }: XmlElement): string {
  const [only] = children;
  return children.length === 1 && typeof only === 'string' ? only : children.filter((child) => typeof child === 'string').join('');
}
