// Members that stand in child elements: objects, lists of them, and elements that only hold others together.
import type { XmlElement } from '../../../kit/xml/tree.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { element, type Order } from './element.ts';
import { type Choice, childNamed, childrenIn, type Form, only, type Part } from './part.ts';
import { pathTo, type Reading } from './reading.ts';

interface OneOptions {
  readonly isRequired?: boolean;
  /** The value of the member without the element, which is not written; undefined: the member is left out. */
  readonly absent?: JsonObject | null;
}

/** An object. */
export function one(member: string, forms: Choice | Form, { isRequired = false, absent }: OneOptions = {}): Part {
  const choice = asChoice(forms);
  const saysNothing = textOfAbsent(choice, absent);
  return {
    children: choice.names,
    isRequired,
    writeChildren: (json, indent) => {
      const value = json[member] as JsonObject | null | undefined;
      if (!value) return '';
      const text = choice.formOf(value).write(value, indent);
      return text === saysNothing(indent) ? '' : text;
    },
    read: (holder, json, reading, path) => {
      const [found] = childrenIn(holder, choice);
      if (found) json[member] = readObject(found, reading, pathTo(path, member));
      else if (absent !== undefined) json[member] = absent;
    },
  };
}

/** An element that says no more than its absence is left out. */
function textOfAbsent(choice: Choice, absent: JsonObject | null | undefined): (indent: string) => string | undefined {
  const known = new Map<string, string>();
  return (indent) => (absent ? known.getOrInsertComputed(indent, () => choice.formOf(absent).write(absent, indent)) : undefined);
}

interface ListOptions {
  readonly isRequired?: boolean;
  /** The value of the member without elements. */
  readonly empty?: null;
}

/** A list of objects. */
export function list(member: string, forms: Choice | Form, { isRequired = false, empty }: ListOptions = {}): Part {
  const choice = asChoice(forms);
  return {
    children: choice.names,
    isList: true,
    isRequired,
    writeChildren: (json, indent) => {
      let text = '';
      for (const value of (json[member] ?? []) as readonly JsonObject[]) text += choice.formOf(value).write(value, indent);
      return text;
    },
    read: (holder, json, reading, path) => {
      const memberPath = pathTo(path, member);
      const found = childrenIn(holder, choice);
      json[member] = found.length === 0 && empty === null ? null : found.map((one, i) => readObject(one, reading, `${memberPath}/${i}`));
    },
  };
}

function readObject({ child, form }: { child: XmlElement; form: Form }, reading: Reading, path: string): JsonOut {
  reading.lines.set(path, child.line);
  return form.read(child, reading, path);
}

/** An element that holds members together which stand side by side in the JSON; left out when there are none. */
export function wrap(name: string, parts: readonly Part[], { isRequired = false, ...order }: Order & { isRequired?: boolean } = {}): Part {
  const form = element(name, parts, order);
  return {
    children: [name],
    isRequired,
    writeChildren: isRequired ? form.write : form.writeUnlessEmpty,
    read: (holder, json, reading, path) => {
      const found = childNamed(holder, name);
      if (found) form.readInto(json, found, reading, path);
      else for (const part of parts) part.read(NOTHING, json, reading, path);
    },
  };
}

const NOTHING: XmlElement = { name: '', attributes: new Map(), children: [], line: 0, column: 0 };

/** Members that stand side by side in the element, and under one member in the JSON. */
export function within(member: string, parts: readonly Part[]): Part[] {
  const inside = (json: JsonObject) => (json[member] ?? {}) as JsonObject;
  return parts.map((part) => ({
    ...part,
    ...(part.writeAttributes && { writeAttributes: (json: JsonObject) => part.writeAttributes!(inside(json)) }),
    ...(part.writeChildren && { writeChildren: (json: JsonObject, indent: string) => part.writeChildren!(inside(json), indent) }),
    ...(part.writeText && { writeText: (json: JsonObject) => part.writeText!(inside(json)) }),
    read: (holder, json, reading, path) => part.read(holder, (json[member] ??= {}) as JsonOut, reading, pathTo(path, member)),
  }));
}

function asChoice(forms: Choice | Form): Choice {
  return 'names' in forms ? forms : only(forms);
}
