// The changes that publishing would make, in the words of users: pipelines, their groups, environments and SCMs.
import type { Edit } from '../../config/edit.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import { etagOf } from '../../shape/json/etag.ts';
import type { Entity } from '../../shape/resource.ts';

export interface Plan {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

export interface PublishingPlan {
  readonly pipelines: Plan;
  readonly pipeline_groups: Plan;
  readonly environments: Plan;
  readonly scms: Plan;
}

type Effect = keyof Plan;

type Effects = Map<string, { readonly name: string; readonly effect: Effect }>;
type Edited<E extends Entity = Entity> = Pick<Edit<E>, 'before' | 'after'> & { readonly kind: Pick<Edit['kind'], 'name'> };

/** The edits of a draft to which definitions have been applied; `environmentName` is the name of an environment as the draft has it. */
export function planOf(edits: readonly Edited[], environmentName: (environment: string) => string): PublishingPlan {
  const ofKind = <K extends KindName>(name: K) => edits.filter((edit): edit is Edited<EntityNamed<K>> => edit.kind.name === name);
  const environments = effectsOn(ofKind('environments'));
  const parts = Map.groupBy(ofKind('environmentParts'), ({ before, after }) => (after ?? before)!.value.environment.toLowerCase());
  for (const [key, ofOne] of parts) {
    const name = environmentName(key);
    // Parts come and go, and the environment stays, unless the edit of the environment itself says otherwise.
    if (contentOf(ofOne, 'before') !== contentOf(ofOne, 'after')) environments.getOrInsert(key, { name, effect: 'changed' });
  }
  return {
    pipelines: sorted(effectsOn(ofKind('pipelines'))),
    pipeline_groups: sorted(effectsOn(ofKind('pipelineGroups'))),
    environments: sorted(environments),
    scms: sorted(effectsByName(ofKind('scms'))),
  };
}

function effectsOn(edits: readonly Edited<EntityNamed<'pipelines' | 'pipelineGroups' | 'environments'>>[]): Effects {
  const effects: Effects = new Map();
  for (const edit of edits) {
    const effect = effectOf(edit);
    const { name } = (edit.after ?? edit.before)!.value;
    if (effect) effects.set(name.toLowerCase(), { name, effect });
  }
  return effects;
}

/** SCMs are compared by name: a change of the owner or the id does not count. */
function effectsByName(edits: readonly Edited<EntityNamed<'scms'>>[]): Effects {
  const at = (when: 'before' | 'after') =>
    new Map(edits.flatMap((edit) => (edit[when] ? [[edit[when].value.name.toLowerCase(), edit[when].value]] : [])));
  const [before, after] = [at('before'), at('after')];
  const tag = (scm: EntityNamed<'scms'>) => etagOf({ ...scm, id: '', origin: null });
  const effects: Effects = new Map();
  for (const [key, { name }] of before) if (!after.has(key)) effects.set(key, { name, effect: 'deleted' });
  for (const [key, scm] of after) {
    const was = before.get(key);
    if (!was || tag(was) !== tag(scm)) effects.set(key, { name: scm.name, effect: was ? 'changed' : 'created' });
  }
  return effects;
}

/** The content of all parts together, whichever part it stands in, and in any order. */
function contentOf(parts: readonly Edited<EntityNamed<'environmentParts'>>[], when: 'before' | 'after'): string {
  const all = (member: 'pipelines' | 'agents' | 'environmentVariables') =>
    parts
      .flatMap((part): readonly unknown[] => part[when]?.value[member] ?? [])
      .map((one) => etagOf({ one }))
      .sort();
  return etagOf({ pipelines: all('pipelines'), agents: all('agents'), variables: all('environmentVariables') });
}

function effectOf({ before, after }: Edited): Effect | undefined {
  if (before === after) return undefined;
  if (!before) return 'created';
  if (!after) return 'deleted';
  return isSameElsewhere(before.value, after.value) ? undefined : 'changed';
}

/** Moving or renaming a file does not change its definitions. */
function isSameElsewhere(before: Entity, after: Entity): boolean {
  const withoutFile = (entity: Entity) => etagOf({ ...entity, origin: entity.origin && { ...entity.origin, file: '' } });
  return repoOriginOf(before)?.file !== repoOriginOf(after)?.file && withoutFile(before) === withoutFile(after);
}

function sorted(effects: Effects): Plan {
  const named = (wanted: Effect) => [...effects.values()].flatMap(({ name, effect }) => (effect === wanted ? name : [])).sort();
  return { created: named('created'), changed: named('changed'), deleted: named('deleted') };
}
