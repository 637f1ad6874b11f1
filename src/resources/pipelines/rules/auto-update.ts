// Copies of one repository, in this pipeline or elsewhere, agree on whether it is polled.
import type { KindName } from '../../../shape/configuration.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import type { TagsView } from '../../../shape/resource.ts';
import { autoUpdateConflict, autoUpdateTag } from '../../parts/auto-update.ts';
import { isRepository, type PipelineMaterial } from '../materials.ts';

export function autoUpdateTags(materials: readonly PipelineMaterial[]): string[] {
  return materials.flatMap((material) => (isRepository(material) ? [autoUpdateTag(material, material.attributes.autoUpdate)] : []));
}

export function autoUpdateProblems(name: string, own: readonly PipelineMaterial[], tagged: TagsView['tagged']): Problem[] {
  return own.flatMap((material, index) => {
    if (!isRepository(material)) return [];
    const { autoUpdate } = material.attributes;
    const others = [...tagged(autoUpdateTag(material, !autoUpdate))];
    if (others.length === 0) return [];
    const copies = (kindName: KindName) => others.flatMap(({ kind, id }) => (kind === kindName ? [{ id, isPolled: !autoUpdate }] : []));
    const message = autoUpdateConflict(material, [{ id: name, isPolled: autoUpdate }, ...copies('pipelines')], copies('configRepos')[0]);
    return [{ at: ['materials', index, 'attributes', 'auto_update'], message }];
  });
}
