// The parts of the elements of repositories, for materials of pipelines and of config repos: made from their definitions.
import type { RepositoryDefinition, XmlAttribute } from '../../../materials/types/repository-definition.ts';
import { flag, optional, required } from '../form/attributes.ts';
import type { Part } from '../form/part.ts';
import { text } from '../form/texts.ts';

type Owner = 'pipeline' | 'config repo';

export function attributesOf({ xml }: RepositoryDefinition, owner: Owner): Part[] {
  const more = owner === 'pipeline' ? (xml.inPipelines ?? []) : [];
  return [...xml.attributes, ...more].map((attribute) => partOf(attribute, owner));
}

export function childrenOf({ xml: { elements = [] } }: RepositoryDefinition): Part[] {
  return elements.map(({ name, member }) => text(name, member, { isRequired: true, isLiteral: true }));
}

function partOf({ name, member, is, absent, absentInPipelines = absent }: XmlAttribute, owner: Owner): Part {
  if (is === 'required') return required(name, member);
  if (is === 'flag') return flag(name, member, false);
  return optional(name, member, { absent: owner === 'pipeline' ? absentInPipelines : absent });
}
