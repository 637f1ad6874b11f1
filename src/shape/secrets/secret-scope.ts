// The scopes that cipher texts can be bound to: one field of one entity, a config repo, or a pipeline group.
import { type Entity, idOf, keyOf, type Resource } from '../resource.ts';

/** Distinguishes an entity from all others, and from one of the same name that belongs elsewhere. */
export function entityIdentity(resource: Resource, entity: Entity): string {
  const within = resource.policy?.within?.(entity) ?? '';
  return JSON.stringify([resource.path, keyOf(resource, idOf(resource, entity)), within.toLowerCase()]);
}

export function fieldScope(identity: string, field: string): string {
  return JSON.stringify(['field', identity, field]);
}

export function configRepoScope(id: string): string {
  return JSON.stringify(['config_repo', id]);
}

export function pipelineGroupScope(name: string): string {
  return JSON.stringify(['pipeline_group', name.toLowerCase()]);
}

/** The pipeline group an entity is in; undefined: it is in none. */
export function pipelineGroupOf({ policy }: Resource, entity: Entity): string | undefined {
  return policy?.type === 'pipeline' ? policy.within?.(entity) : undefined;
}
