// The materials of a pipeline: what it builds from, and what sets it off.
import { type Field, plainField } from '../../shape/field.ts';
import { checkedText, flag, optionalText } from '../../shape/fields.ts';
import { readObject, readText, readTexts } from '../../shape/reading.ts';
import { variantCodec, variantList } from '../../shape/variant.ts';
import { autoUpdate, REPOSITORY_FIELDS } from '../parts/materials.ts';

/** Patterns of files whose changes do not set the pipeline off; null when there are none. */
const filter: Field<readonly string[]> = {
  read: (place, name) => {
    const holder = readObject(place, name);
    if (!holder) return [];
    const inner = { ...place, holder, path: [...place.path, name] };
    if (typeof holder.ignore === 'string') return [holder.ignore];
    return readTexts(inner, 'ignore') ?? readTexts(inner, 'includes') ?? [];
  },
  write: (patterns, name, out) => {
    out[name] = patterns.length > 0 ? { ignore: patterns } : null;
  },
  describe: (name) => {
    const schema = { type: ['object', 'null'], properties: { ignore: { type: 'array', items: { type: 'string' } } } };
    return { request: { [name]: schema }, response: { [name]: schema } };
  },
};

const common = {
  destination: optionalText({ description: 'Directory for the checkout, below that of the pipeline.' }),
  filter,
  invertFilter: flag(false, { description: 'Whether the filter names the files that count, instead of those that do not.' }),
  name: optionalText({ description: 'Name of the material.' }),
  autoUpdate,
};

const shallowClone = flag(false, { description: 'Whether to fetch only as much history as needed.' });
const always = plainField<true>(
  { const: true },
  () => true,
  () => true,
);

export const materialCodec = variantCodec(
  {
    git: { ...REPOSITORY_FIELDS.git, ...common, submoduleFolder: optionalText({ description: 'Folder of a submodule.' }), shallowClone },
    hg: { ...REPOSITORY_FIELDS.hg, ...common },
    svn: { ...REPOSITORY_FIELDS.svn, ...common },
    p4: { ...REPOSITORY_FIELDS.p4, ...common },
    tfs: { ...REPOSITORY_FIELDS.tfs, ...common },
    dependency: {
      pipeline: checkedText({ description: 'The upstream pipeline.' }),
      stage: checkedText({ description: 'The stage that must have passed.' }),
      name: common.name,
      autoUpdate: always,
      ignoreForScheduling: flag(false, { description: 'Whether its runs alone do not set the pipeline off.' }),
    },
    package: {
      ref: plainField<string>(
        { type: 'string' },
        (place, name) => readText(place, name) ?? '',
        (id) => id,
      ),
    },
    plugin: {
      ref: plainField<string>(
        { type: 'string' },
        (place, name) => readText(place, name) ?? '',
        (id) => id,
      ),
      filter,
      destination: common.destination,
      invertFilter: common.invertFilter,
    },
  },
  {
    unsupported: (type) =>
      `Your request could not be processed. Invalid material type '${type}'. It has to be one of 'git, hg, svn, p4, tfs, dependency, package, plugin'.`,
  },
);

type Variants = typeof materialCodec extends { write(value: infer M, writing: never): unknown } ? M : never;
export type PipelineMaterial = Variants;
export type MaterialOf<T extends PipelineMaterial['type']> = Extract<PipelineMaterial, { type: T }>;

export const materials = variantList(materialCodec);

export function isDependency(material: PipelineMaterial): material is MaterialOf<'dependency'> {
  return material.type === 'dependency';
}

/** Materials that are checked out into a directory of their own. */
export function isScm(material: PipelineMaterial): material is MaterialOf<'git' | 'hg' | 'svn' | 'p4' | 'tfs' | 'plugin'> {
  return !['dependency', 'package'].includes(material.type);
}
