// Everything outside a pipeline that it names.
import type { Path } from '../../shape/problem.ts';
import type { Reference } from '../../shape/resource.ts';
import { rolesNamed } from '../parts/members.ts';
import type { Job } from './jobs.ts';
import type { PipelineMaterial } from './materials.ts';
import type { Stage } from './stages.ts';

/** A name that still has a parameter in it is known only where the parameter has a value. */
function isOpen(name: string): boolean {
  return name === '' || name.includes('#{');
}

export function materialReferences(materials: readonly PipelineMaterial[], pipeline: string): Reference[] {
  return materials.flatMap((material, index): Reference[] => {
    const to = (kind: string, id: string, key: string, unknown: string) =>
      isOpen(id) ? [] : [{ kind, id, at: ['materials', index, 'attributes', key], unknown }];
    switch (material.type) {
      case 'dependency': {
        const { pipeline: id } = material.attributes;
        const unknown = `Pipeline with name '${id}' does not exist, it is defined as a dependency for pipeline '${pipeline}' (cruise-config.xml)`;
        return to('pipelines', id, 'pipeline', unknown);
      }
      case 'package': {
        const { ref: id } = material.attributes;
        return to('packages', id, 'ref', `Could not find repository for given package id:[${id}]`);
      }
      case 'plugin': {
        const { ref: id } = material.attributes;
        return to('scms', id, 'ref', `Could not find SCM for given scm-id: [${id}].`);
      }
      default:
        return [];
    }
  });
}

export function stageReferences(stages: readonly Stage[], owner: string): Reference[] {
  return stages.flatMap((stage, stageIndex) => [
    ...rolesNamed(stage.approval.authorization, ['stages', stageIndex, 'approval', 'authorization']),
    ...stage.jobs.flatMap((job, jobIndex) => jobReferences(job, ['stages', stageIndex, 'jobs', jobIndex], owner)),
  ]);
}

function jobReferences({ elasticProfileId: profile, artifacts }: Job, at: Path, owner: string): Reference[] {
  const found: Reference[] = [];
  if (profile && !isOpen(profile)) {
    const unknown = `No profile defined corresponding to profile_id '${profile}'`;
    found.push({ kind: 'elasticProfiles', id: profile, at: [...at, 'elastic_profile_id'], unknown });
  }
  for (const [index, artifact] of artifacts.entries()) {
    if (artifact.type !== 'external' || isOpen(artifact.attributes.storeId)) continue;
    const { storeId: id } = artifact.attributes;
    const unknown = `Artifact store with id \`${id}\` does not exist. Please correct the \`storeId\` attribute on pipeline \`${owner}\`.`;
    found.push({ kind: 'artifactStores', id, at: [...at, 'artifacts', index, 'store_id'], unknown });
  }
  return found;
}
