// Everything outside a pipeline that it names.
import type { Path } from '../../shape/problem.ts';
import type { Reference } from '../../shape/resource.ts';
import { rolesNamed } from '../parts/members.ts';
import type { PipelineMaterial } from './materials.ts';
import type { Stage } from './stages.ts';

export function materialReferences(materials: readonly PipelineMaterial[], pipeline: string): Reference[] {
  return materials.flatMap((material, index): Reference[] => {
    const at = (key: string) => ['materials', index, 'attributes', key];
    switch (material.type) {
      case 'dependency': {
        const { pipeline: id } = material.attributes;
        const unknown = `Pipeline with name '${id}' does not exist, it is defined as a dependency for pipeline '${pipeline}' (cruise-config.xml)`;
        return [{ kind: 'pipelines', id, at: at('pipeline'), unknown }];
      }
      case 'package': {
        const { ref: id } = material.attributes;
        return id === ''
          ? []
          : [{ kind: 'packages', id, at: at('ref'), unknown: `Could not find repository for given package id:[${id}]` }];
      }
      case 'plugin': {
        const { ref: id } = material.attributes;
        return id === '' ? [] : [{ kind: 'scms', id, at: at('ref'), unknown: `Could not find SCM for given scm-id: [${id}].` }];
      }
      default:
        return [];
    }
  });
}

export function stageReferences(stages: readonly Stage[], owner: string): Reference[] {
  return stages.flatMap((stage, stageIndex) => [
    ...rolesNamed(stage.approval.authorization, ['stages', stageIndex, 'approval', 'authorization']),
    ...stage.jobs.flatMap((job, jobIndex) => {
      const at: Path = ['stages', stageIndex, 'jobs', jobIndex];
      const { elasticProfileId: profile } = job;
      const profiles: Reference[] =
        profile && !profile.includes('#{')
          ? [
              {
                kind: 'elasticProfiles',
                id: profile,
                at: [...at, 'elastic_profile_id'],
                unknown: `No profile defined corresponding to profile_id '${profile}'`,
              },
            ]
          : [];
      const stores = job.artifacts.flatMap((artifact, index): Reference[] => {
        if (artifact.type !== 'external' || artifact.attributes.storeId === '' || artifact.attributes.storeId.includes('#{')) return [];
        const { storeId } = artifact.attributes;
        const unknown = `Artifact store with id \`${storeId}\` does not exist. Please correct the \`storeId\` attribute on pipeline \`${owner}\`.`;
        return [{ kind: 'artifactStores', id: storeId, at: [...at, 'artifacts', index, 'store_id'], unknown }];
      });
      return [...profiles, ...stores];
    }),
  ]);
}
