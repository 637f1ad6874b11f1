// Documents that are bent a little: valid ones by the schema are read without problems, invalid ones are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readDocument } from '../../../src/document/xml/read.ts';
import { readXml } from '../../../src/kit/xml/read-xml.ts';
import type { XmlElement } from '../../../src/kit/xml/tree.ts';
import { attributeText, escapedText } from '../../../src/kit/xml/write-xml.ts';
import { documentOf, storedOf } from './entities.ts';
import { everything } from './everything.ts';
import { schemaProblems } from './schema.ts';

const SEED = Number(process.env.TEST_SEED ?? 261_115);
const whole = readXml(documentOf(storedOf(everything))).root!;

/** Problems that a schema cannot express, because they depend on the value of an attribute or are no matter of the schema. */
const BEYOND_SCHEMA = [
  /is required for Artifact$/,
  /^Attribute '(src|dest|id|storeId)' is not allowed to appear in element 'artifact'\.$/,
  /starting with element '(configuration|pluginConfiguration)'/,
  /^Invalid XML tag "configuration" found/,
  /element 'task' is not complete. One of '\{pluginConfiguration\}'/,
  /^A task of slipway.script has no setting/,
  /^Task \[\w+\] should not contain more than 1 oncancel task$/,
];
/** Violations that this server reads, because it holds such values: lists of settings without any, users without a name. */
const ALSO_READ = [
  /^\d+: Element 'configuration': Missing child element\(s\)\. Expected is \( property \)\.$/,
  /^\d+: Element 'user': \[facet 'minLength'\]/,
];

type ChildPosition = { readonly parent: XmlElement; readonly index: number };

function positionsIn(parent: XmlElement): ChildPosition[] {
  return parent.children.flatMap((child, index) => (typeof child === 'string' ? [] : [{ parent, index }, ...positionsIn(child)]));
}

const BENDS: Readonly<Record<string, (position: ChildPosition, element: XmlElement, pick: number) => void>> = {
  'an element is gone': ({ parent, index }) => parent.children.splice(index, 1),
  'an element is there twice': ({ parent, index }, element) => parent.children.splice(index, 0, element),
  'an element comes after its neighbour': ({ parent, index }, element) => {
    parent.children.splice(index, 1);
    parent.children.splice(index + 1, 0, element);
  },
  'an element comes first': ({ parent, index }, element) => {
    parent.children.splice(index, 1);
    parent.children.unshift(element);
  },
  'an element is unknown': ({ parent, index }, element) => {
    parent.children[index] = { ...element, name: 'unknown' };
  },
  'an element is empty': (_, element) => element.children.splice(0),
  'an element has text': (_, element) => element.children.push('text'),
  'an attribute is gone': (_, { attributes }, pick) => attributes.delete(nameAt(attributes, pick)),
  'an attribute is unknown': (_, { attributes }) => attributes.set('unknown', 'x'),
  'a flag is no flag': (_, { attributes }, pick) => {
    const name = nameAt(attributes, pick);
    if (['true', 'false'].includes(attributes.get(name) ?? '')) attributes.set(name, 'maybe');
  },
  'a flag is a number': (_, { attributes }, pick) => {
    const name = nameAt(attributes, pick);
    if (attributes.get(name) === 'true') attributes.set(name, '1');
  },
};

function nameAt(attributes: ReadonlyMap<string, string>, pick: number): string {
  return [...attributes.keys()][pick % Math.max(1, attributes.size)] ?? '';
}

function written({ name, attributes, children }: XmlElement): string {
  if (name.startsWith('?')) return `<${name} ${children.join('')}?>`;
  const inside = children.map((child) => (typeof child === 'string' ? escapedText(child) : written(child))).join('');
  return `<${name}${[...attributes].map(([key, value]) => attributeText(key, value)).join('')}>${inside}</${name}>`;
}

for (const [title, bend] of Object.entries(BENDS)) {
  test(`the schema refuses a document in which ${title}`, () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(7), (where, pick) => {
        const root = structuredClone(whole);
        const positions = positionsIn(root).filter(({ parent, index }) => !(parent.children[index] as XmlElement).name.startsWith('?'));
        const position = positions[where % positions.length]!;
        bend(position, position.parent.children[position.index] as XmlElement, pick);
        const bent = written(root);
        const bySchema = schemaProblems(bent).filter((problem) => !ALSO_READ.some((one) => one.test(problem)));
        const problems = readDocument(readXml(bent).root!).problems.map(({ message }) => message);
        if (bySchema.length > 0) assert.notDeepEqual(problems, [], `the schema says: ${bySchema.join('\n')}`);
        else
          assert.deepEqual(
            problems.filter((problem) => !BEYOND_SCHEMA.some((one) => one.test(problem))),
            [],
            'but the schema allows it',
          );
      }),
      { seed: SEED, numRuns: 40, interruptAfterTimeLimit: 3000 },
    );
  });
}
