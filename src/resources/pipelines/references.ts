// Everything outside a pipeline that it names.
import type { KindName } from '../../shape/configuration.ts';
import type { Path } from '../../shape/problems/problem.ts';
import type { Reference } from '../../shape/resource.ts';
import { rolesNamed } from '../parts/members.ts';
import type { Origin } from '../parts/origin.ts';
import { type Parameter, Replacement } from '../parts/replacement.ts';
import type { Job } from './jobs.ts';
import type { PipelineMaterial } from './materials.ts';
import type { Stage } from './stages.ts';

/** A name that still has a parameter in it is known only where the parameter has a value. */
function isOpen(name: string): boolean {
  return name === '' || name.includes('#{');
}

export function materialReferences(materials: readonly PipelineMaterial[], pipeline: string, origin: Origin | null): Reference[] {
  return materials.flatMap((material, index): Reference[] => {
    // For pipelines of config repos, other checks report a missing target.
    const to = (kind: KindName, id: string, key: string, unknown: string) =>
      isOpen(id) ? [] : [{ kind, id, at: ['materials', index, 'attributes', key], unknown, mayBeAbsent: origin !== null }];
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
    ...stage.jobs.flatMap((job, jobIndex) =>
      namesIn(job)
        .filter(({ id }) => !isOpen(id))
        .map(({ kind, id, at, unknown }) => ({
          kind,
          id,
          at: ['stages', stageIndex, 'jobs', jobIndex, ...at],
          unknown: unknown(id, owner),
        })),
    ),
  ]);
}

/** The references in the stages of a template that depend on the parameters of the pipeline. */
export function referencesByParameters(pipeline: ParameterizedPipeline, { stages }: { readonly stages: readonly Stage[] }): Reference[] {
  const replacement = new Replacement(pipeline.parameters);
  return openNames(stages).flatMap(({ kind, id: written, unknown }) => {
    const id = replacement.replaced(written);
    return isOpen(id) ? [] : [{ kind, id, at: ['template'], unknown: unknown(id, pipeline.name) }];
  });
}

const knownOpenNames = new WeakMap<readonly Stage[], readonly NameInJob[]>();

/** Each name once. Entities never change, so a template is looked through once for all pipelines that use it. */
function openNames(stages: readonly Stage[]): readonly NameInJob[] {
  return knownOpenNames.getOrInsertComputed(stages, () => {
    const open = stages.flatMap(({ jobs }) => jobs.flatMap(namesIn)).filter(({ id }) => isOpen(id));
    return [...new Map(open.map((name) => [`${name.kind}\n${name.id}`, name])).values()];
  });
}

interface ParameterizedPipeline {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

/** A name as it is written in a job. */
interface NameInJob {
  readonly kind: KindName;
  readonly id: string;
  readonly at: Path;
  unknown(id: string, owner: string): string;
}

function namesIn({ elasticProfileId, artifacts }: Job): NameInJob[] {
  const found: NameInJob[] = [];
  if (elasticProfileId) found.push({ kind: 'elasticProfiles', id: elasticProfileId, at: ['elastic_profile_id'], unknown: unknownProfile });
  for (const [index, { type, attributes }] of artifacts.entries()) {
    if (type === 'external')
      found.push({ kind: 'artifactStores', id: attributes.storeId, at: ['artifacts', index, 'store_id'], unknown: unknownStore });
  }
  return found;
}

function unknownProfile(id: string): string {
  return `No profile defined corresponding to profile_id '${id}'`;
}

function unknownStore(id: string, owner: string): string {
  return `Artifact store with id \`${id}\` does not exist. Please correct the \`storeId\` attribute on pipeline \`${owner}\`.`;
}
