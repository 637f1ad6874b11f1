// XML of which only some elements count, each read on its own: a long list of them need not be in memory as a whole.
import { readXml } from '../../kit/xml/read-xml.ts';
import type { XmlElement } from '../../kit/xml/tree.ts';
import { MaterialProblem } from './client.ts';

/** `record` ends before the closing tag of the element; text before its opening tag is ignored. */
export function elementAtEnd(record: string, name: string): XmlElement | undefined {
  const start = record.search(new RegExp(`<${name}[\\s>]`));
  return start < 0 ? undefined : rootOf(`${record.slice(start)}</${name}>`);
}

export function rootOf(text: string): XmlElement {
  const { root, problems } = readXml(text);
  if (!root) throw new MaterialProblem(`What the program printed cannot be read: ${problems[0]?.message ?? 'nothing'}`);
  return root;
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return (element?.children ?? []).filter((child): child is XmlElement => typeof child !== 'string' && child.name === name);
}

/** null: there is no such element. */
export function textOf(element: XmlElement | undefined, name: string): string | null {
  const [child] = childrenOf(element, name);
  return child ? contentOf(child) : null;
}

export function contentOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('');
}
