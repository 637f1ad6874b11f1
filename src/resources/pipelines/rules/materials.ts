// Rules for the materials of one pipeline, among themselves.
import { posix } from 'node:path';
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../../kit/text/control-characters.ts';
import { isName } from '../../../shape/fields.ts';
import type { Path, Problem } from '../../../shape/problems/problem.ts';
import { repositoryProblems } from '../../parts/materials.ts';
import type { Origin } from '../../parts/origin.ts';
import { isFilePath, isTooLong, leavesDirectory, TOO_LONG } from '../file-path.ts';
import { isRepository, isScm, type PipelineMaterial } from '../materials.ts';
import { nameProblems, repeated } from './names.ts';

export function materialProblems(materials: readonly PipelineMaterial[], origin: Origin | null): Problem[] {
  if (materials.length === 0) return [{ at: ['materials'], message: 'A pipeline must have at least one material' }];
  return [
    ...materials.flatMap((material, index) => ownProblems(material, ['materials', index, 'attributes'], origin)),
    ...repeatedNames(materials, origin),
    ...repeatedReferences(materials),
    ...destinationProblems(materials),
  ];
}

function ownProblems(material: PipelineMaterial, at: Path, origin: Origin | null): Problem[] {
  const problems = isRepository(material) ? repositoryProblems(material, at, '#') : [];
  const { attributes } = material;
  const name = 'name' in attributes || material.type === 'package' ? ownName(material, origin) : null;
  if (name && !isName(name)) problems.push(...nameProblems('material', name, [...at, 'name']));
  if (material.type === 'package' && material.attributes.ref.trim() === '')
    problems.push({ at: [...at, 'ref'], message: 'Please select a repository and package' });
  if (material.type === 'plugin' && material.attributes.ref.trim() === '')
    problems.push({ at: [...at, 'ref'], message: 'Please select a SCM' });
  return problems;
}

/** A dependency that has no name of its own is called like its pipeline. */
export function materialName(material: PipelineMaterial, origin: Origin | null): string | null {
  return ownName(material, origin) || (material.type === 'dependency' ? material.attributes.pipeline : null);
}

/** SCMs and packages have names only in files of config repos. */
function ownName({ type, attributes }: PipelineMaterial, origin: Origin | null): string | null {
  if (type === 'plugin') return origin?.scms?.[attributes.ref] ?? null;
  if (type === 'package') return origin?.packages?.[attributes.ref] ?? null;
  return attributes.name;
}

function repeatedNames(materials: readonly PipelineMaterial[], origin: Origin | null): Problem[] {
  const nameOf = (material: PipelineMaterial) => materialName(material, origin);
  return repeated(materials, nameOf).map((index) => ({
    at: ['materials', index, 'attributes', 'name'],
    message: `You have defined multiple materials called '${nameOf(materials[index]!)}'. Material names are case-insensitive and must be unique. Note that for dependency materials the default materialName is the name of the upstream pipeline. You can override this by setting the materialName explicitly for the upstream pipeline.`,
  }));
}

function repeatedReferences(materials: readonly PipelineMaterial[]): Problem[] {
  if (materials.length < 2) return [];
  const of = (type: 'package' | 'plugin') => (material: PipelineMaterial) => (material.type === type ? material.attributes.ref : null);
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
  const destinations = materials.flatMap((material, index) =>
    isScm(material) ? [{ index, given: material.attributes.destination ?? '' }] : [],
  );
  const fault = among(destinations.map(({ given }) => given));
  return destinations.flatMap(({ index, given }) => {
    const message = ownFault(given) ?? fault(given);
    return message ? [{ at: ['materials', index, 'attributes', 'destination'], message }] : [];
  });
}

function ownFault(given: string): string | undefined {
  if (isTooLong(given)) return TOO_LONG;
  if (hasControlCharacter(given)) return NO_CONTROL_CHARACTERS;
  if (leavesDirectory(given)) return `Dest folder '${given}' is not valid. It must be a sub-directory of the working folder.`;
  return given === '' || isFilePath(given) ? undefined : `Invalid directory name '${given}'. It should be a valid relative path.`;
}

/** The problem of a destination beside the others. */
function among(destinations: readonly string[]): (given: string) => string | undefined {
  if (destinations.length < 2) return () => undefined;
  const counts = new Map<string, number>();
  for (const path of destinations.filter((given) => !isTooLong(given)).map(normal)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const nested = nestedAmong([...counts.keys()]);
  return (given) => {
    if (given === '') return 'Destination directory is required when a pipeline has multiple SCM materials.';
    const path = normal(given);
    if (counts.get(path)! > 1) return 'The destination directory must be unique across materials.';
    return nested.has(path)
      ? 'Invalid destination directory. Every material needs a different destination directory and the directories should not be nested.'
      : undefined;
  };
}

function normal(destination: string): string {
  return posix.normalize(destination === '' ? '.' : destination).replace(/\/$/, '');
}

/** The paths that lie in another one, or hold one. Sorted with a slash at the end, a directory is followed by all that lies in it. */
function nestedAmong(paths: readonly string[]): ReadonlySet<string> {
  const nested = new Set<string>();
  let outer: string | undefined;
  for (const path of paths.map((one) => `${one}/`).toSorted()) {
    if (outer !== undefined && path.startsWith(outer)) for (const one of [outer, path]) nested.add(one.slice(0, -1));
    else outer = path;
  }
  return nested;
}
