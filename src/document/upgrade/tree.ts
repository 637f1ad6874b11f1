// Finding and moving elements of a document that is being upgraded.
import type { XmlElement } from '../../kit/xml/tree.ts';

export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  const children = element.children.filter((child) => typeof child !== 'string');
  return name === undefined ? children : children.filter((child) => child.name === name);
}

/** The elements at the end of a path of names, e.g. `server`, `security`. */
export function at(root: XmlElement, ...path: readonly string[]): XmlElement[] {
  return path.reduce((elements, name) => elements.flatMap((element) => childrenOf(element, name)), [root]);
}

/** The element itself and all below it. */
export function* everything(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) if (typeof child !== 'string') yield* everything(child);
}

/** All elements of this name, wherever they are. */
export function named(root: XmlElement, name: string): XmlElement[] {
  return [...everything(root)].filter((element) => element.name === name);
}

export function element(
  name: string,
  position: Pick<XmlElement, 'line' | 'column'>,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (XmlElement | string)[] = [],
): XmlElement {
  return { name, line: position.line, column: position.column, attributes: new Map(Object.entries(attributes)), children: [...children] };
}

/** Takes the children of this name out, and returns them. */
export function takeChildren(parent: XmlElement, name: string): XmlElement[] {
  const taken = childrenOf(parent, name);
  const kept = parent.children.filter((child) => typeof child === 'string' || child.name !== name);
  parent.children.splice(0, parent.children.length, ...kept);
  return taken;
}

/** Takes an attribute out, and returns its value. */
export function takeAttribute(holder: XmlElement, name: string): string | undefined {
  const value = holder.attributes.get(name);
  holder.attributes.delete(name);
  return value;
}

/** Gives the children of one name another one. */
export function renameChildren(parent: XmlElement, name: string, newName: string): void {
  for (const [index, child] of parent.children.entries()) {
    if (typeof child !== 'string' && child.name === name) parent.children[index] = { ...child, name: newName };
  }
}

/** The only child of this name, made if there is none. */
export function childMade(parent: XmlElement, name: string): XmlElement {
  const found = childrenOf(parent, name)[0];
  if (found) return found;
  const made = element(name, parent);
  parent.children.push(made);
  return made;
}
