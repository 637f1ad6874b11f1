// Rules for the materials of one pipeline, among themselves.
import { posix } from 'node:path';
import { isName } from '../../shape/fields.ts';
import type { Path, Problem } from '../../shape/problem.ts';
import { type Repository, repositoryProblems } from '../parts/materials.ts';
import { isScm, type PipelineMaterial } from './materials.ts';
import { nameProblems, repeated } from './names.ts';

const REPOSITORIES = new Set(['git', 'hg', 'svn', 'p4', 'tfs']);

export function materialProblems(materials: readonly PipelineMaterial[]): Problem[] {
  if (materials.length === 0) return [{ at: ['materials'], message: 'A pipeline must have at least one material' }];
  return [
    ...materials.flatMap((material, index) => ownProblems(material, ['materials', index, 'attributes'])),
    ...repeatedNames(materials),
    ...repeatedReferences(materials),
    ...destinationProblems(materials),
  ];
}

function ownProblems(material: PipelineMaterial, at: Path): Problem[] {
  const problems = REPOSITORIES.has(material.type) ? repositoryProblems(material as Repository, at) : [];
  const { attributes } = material;
  if ('name' in attributes && attributes.name && !isName(attributes.name))
    problems.push(...nameProblems('material', attributes.name, [...at, 'name']));
  if (material.type === 'package' && attributes && 'ref' in attributes && attributes.ref.trim() === '') {
    problems.push({ at: [...at, 'ref'], message: 'Please select a repository and package' });
  }
  if (material.type === 'plugin' && material.attributes.ref.trim() === '')
    problems.push({ at: [...at, 'ref'], message: 'Please select a SCM' });
  return problems;
}

/** A dependency that has no name of its own is called like its pipeline. */
export function materialName({ type, attributes }: PipelineMaterial): string | null {
  if (type === 'dependency') return attributes.name || attributes.pipeline;
  return 'name' in attributes ? attributes.name : null;
}

function repeatedNames(materials: readonly PipelineMaterial[]): Problem[] {
  return repeated(materials, materialName).map((index) => ({
    at: ['materials', index, 'attributes', 'name'],
    message: `You have defined multiple materials called '${materialName(materials[index]!)}'. Material names are case-insensitive and must be unique. Note that for dependency materials the default materialName is the name of the upstream pipeline. You can override this by setting the materialName explicitly for the upstream pipeline.`,
  }));
}

function repeatedReferences(materials: readonly PipelineMaterial[]): Problem[] {
  const of = (type: 'package' | 'plugin') => (material: PipelineMaterial) =>
    material.type === type ? (material.attributes as { ref: string }).ref : null;
  const upstream = (material: PipelineMaterial) => (material.type === 'dependency' ? material.attributes.pipeline : null);
  const at = (index: number, key: string) => ['materials', index, 'attributes', key];
  return [
    ...repeated(materials, of('package')).map((index) => ({ at: at(index, 'ref'), message: 'Duplicate package material detected!' })),
    ...repeated(materials, of('plugin')).map((index) => ({ at: at(index, 'ref'), message: 'Duplicate SCM material detected!' })),
    ...repeated(materials, upstream).map((index) => ({
      at: at(index, 'pipeline'),
      message: `A pipeline can depend on each upstream pipeline only once. Remove one of the occurrences of '${upstream(materials[index]!)}' from the current pipeline dependencies.`,
    })),
  ];
}

function destinationProblems(materials: readonly PipelineMaterial[]): Problem[] {
  const places = materials.flatMap((material, index) => (isScm(material) ? [{ index, given: material.attributes.destination ?? '' }] : []));
  const normal = places.map(({ given }) => posix.normalize(given === '' ? '.' : given).replace(/\/$/, ''));
  return places.flatMap(({ index, given }, own) => {
    const problem = (message: string) => [{ at: ['materials', index, 'attributes', 'destination'], message }];
    const path = normal[own]!;
    if (given !== '' && (path.startsWith('/') || path === '..' || path.startsWith('../'))) {
      return problem(`Dest folder '${given}' is not valid. It must be a sub-directory of the working folder.`);
    }
    if (places.length < 2) return [];
    if (given === '') return problem('Destination directory is required when a pipeline has multiple SCM materials.');
    const others = normal.filter((_, other) => other !== own);
    if (others.includes(path)) return problem('The destination directory must be unique across materials.');
    const isNested = others.some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
    return isNested
      ? problem(
          'Invalid destination directory. Every material needs a different destination directory and the directories should not be nested.',
        )
      : [];
  });
}
