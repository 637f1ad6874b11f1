// The materials of a pipeline: the sources it builds from, whose changes trigger it.

import { omittedWhenUnset, username } from '../../materials/types/attributes/common.ts';
import { passwordOf } from '../../materials/types/attributes/password.ts';
import { ofEachType, type RepositoryType, type RepositoryTypes } from '../../materials/types/list.ts';
import type { RepositoryDefinition } from '../../materials/types/repository-definition.ts';
import { describedBy } from '../../shape/described.ts';
import { type Field, plainField } from '../../shape/field.ts';
import { checkedText, flag, optionalText } from '../../shape/fields.ts';
import { readObject, readText, readTexts } from '../../shape/json/reading.ts';
import { namedItems } from '../../shape/named-items.ts';
import { variantCodec, variantList } from '../../shape/variant.ts';
import { autoUpdate, REPOSITORY_LABELS } from '../parts/materials.ts';

/** Patterns of files whose changes do not set the pipeline off; null when there are none. */
const filter: Field<readonly string[]> = {
  read: (cursor, name) => {
    const holder = readObject(cursor, name);
    if (!holder) return [];
    const inner = { ...cursor, holder, path: [...cursor.path, name] };
    if (typeof holder.ignore === 'string') return [holder.ignore];
    return readTexts(inner, 'ignore') ?? readTexts(inner, 'includes') ?? [];
  },
  write: (patterns, name, out) => {
    out[name] = patterns.length > 0 ? { ignore: patterns } : null;
  },
  describe: (name) => {
    const ignore = { type: 'array', items: { type: 'string' }, description: 'Patterns of file names, such as `docs/**/*`.' };
    const schema = {
      type: ['object', 'null'],
      properties: { ignore },
      description: 'Files whose changes alone do not trigger the pipeline.',
    };
    return { request: { [name]: schema }, response: { [name]: schema } };
  },
};

const common = {
  destination: optionalText({ description: 'Directory for the checkout, inside that of the pipeline.' }),
  filter,
  invertFilter: flag(false, { description: 'Whether the filter names the files that trigger the pipeline, instead of those that do not.' }),
  name: optionalText({ description: 'Name of the material.' }),
  autoUpdate,
};

/** The fields of all repositories, in the order of GoCD. */
function sharedFields({ className, addressedBy }: RepositoryDefinition) {
  return { ...common, username: omittedWhenUnset(username), password: passwordOf(className, addressedBy) };
}

type RepositoryVariants = {
  readonly [T in RepositoryType]: RepositoryTypes[T]['inPipelines']['before'] &
    ReturnType<typeof sharedFields> &
    RepositoryTypes[T]['inPipelines']['after'];
};

const repositories = ofEachType<RepositoryVariants>((definition) => {
  const { before, after } = definition.inPipelines;
  return { ...before, ...sharedFields(definition), ...after };
});
const always = plainField<true>(
  { const: true },
  () => true,
  () => true,
);

export const materialCodec = variantCodec(
  {
    ...repositories,
    dependency: {
      pipeline: checkedText({ refersTo: 'pipelines', description: 'The upstream pipeline.' }),
      stage: checkedText({ description: 'The stage that must have passed.' }),
      name: common.name,
      autoUpdate: always,
      ignoreForScheduling: flag(false, { description: 'Whether its runs alone do not trigger the pipeline.' }),
    },
    package: {
      ref: plainField<string>(
        { type: 'string', ...describedBy({ label: 'Package', refersTo: 'packages', description: 'The id of the package.' }) },
        (cursor, name) => readText(cursor, name) ?? '',
        (id) => id,
      ),
    },
    plugin: {
      ref: plainField<string>(
        { type: 'string', ...describedBy({ label: 'SCM', refersTo: 'scms', description: 'The id of the SCM.' }) },
        (cursor, name) => readText(cursor, name) ?? '',
        (id) => id,
      ),
      filter,
      destination: common.destination,
      invertFilter: common.invertFilter,
    },
  },
  {
    labels: { ...REPOSITORY_LABELS, dependency: 'Another pipeline', package: 'Package', plugin: 'SCM of a plugin' },
    unsupported: (type) =>
      `Your request could not be processed. Invalid material type '${type}'. It has to be one of '${Object.keys(repositories).join(', ')}, dependency, package, plugin'.`,
  },
);

type Variants = typeof materialCodec extends { write(value: infer M, writing: never): unknown } ? M : never;
export type PipelineMaterial = Variants;
export type MaterialOf<T extends PipelineMaterial['type']> = Extract<PipelineMaterial, { type: T }>;

export const materials = namedItems(variantList(materialCodec, { description: 'The materials to build from; at least one.' }), 'Material');

export function isDependency(material: PipelineMaterial): material is MaterialOf<'dependency'> {
  return material.type === 'dependency';
}

const WITHOUT_CHECKOUT = new Set<string>(['dependency', 'package']);

/** Materials that are checked out into a directory of their own. */
export function isScm(material: PipelineMaterial): material is MaterialOf<RepositoryType | 'plugin'> {
  return !WITHOUT_CHECKOUT.has(material.type);
}

/** Materials that the server itself polls. */
export function isRepository(material: PipelineMaterial): material is MaterialOf<RepositoryType> {
  return Object.hasOwn(repositories, material.type);
}
