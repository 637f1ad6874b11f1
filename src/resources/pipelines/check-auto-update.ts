// Copies of one repository, in this pipeline or elsewhere, agree on whether it is polled.
import type { Problem } from '../../shape/problem.ts';
import type { SeesMarks } from '../../shape/resource.ts';
import { autoUpdateMark } from '../parts/auto-update.ts';
import { shownRepository } from '../parts/materials.ts';
import { isRepository, type PipelineMaterial } from './materials.ts';

const DISPLAY_TYPES = { git: 'Git', hg: 'Mercurial', svn: 'Subversion', p4: 'Perforce', tfs: 'Tfs' };

export function autoUpdateMarks(materials: readonly PipelineMaterial[]): string[] {
  return materials.flatMap((material) => (isRepository(material) ? [autoUpdateMark(material, material.attributes.autoUpdate)] : []));
}

export function autoUpdateProblems(name: string, own: readonly PipelineMaterial[], marked: SeesMarks['marked']): Problem[] {
  const word = (isOn: boolean) => (isOn ? 'auto update enabled' : 'auto update disabled');
  return own.flatMap((material, index) => {
    if (!isRepository(material)) return [];
    const { autoUpdate } = material.attributes;
    const others = [...marked(autoUpdateMark(material, !autoUpdate))];
    if (others.length === 0) return [];
    const lines = [` ${name} (${word(autoUpdate)})`, ...others.map((other) => ` ${other.id} (${word(!autoUpdate)})`)].join(',\n');
    const message = `The material of type ${DISPLAY_TYPES[material.type]} (${shownRepository(material)}) is used elsewhere with a different value for autoUpdate (poll for changes). Those values should be the same. Pipelines:\n${lines}`;
    return [{ at: ['materials', index, 'attributes', 'auto_update'], message }];
  });
}
