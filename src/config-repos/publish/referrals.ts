// The references in the definitions of a config repo, which its rules must allow.
import type { Draft } from '../../config/draft.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import { isOfKind } from '../../shape/is-of-kind.ts';
import type { Referral } from './rules.ts';
import type { Definition } from './withdraw.ts';

export interface DefinedAs {
  readonly type: 'pipeline' | 'environment';
  readonly name: string;
}

/** As the draft has them. */
export function* referralsOf(
  draft: Draft,
  repo: string,
  definitions: readonly Definition[],
): Generator<{ readonly referral: Referral; readonly definedAs: DefinedAs }> {
  for (const { kind, id } of definitions) {
    const entity = draft.find(kind, id)?.value;
    if (!entity || repoOriginOf(entity)?.repo !== repo) continue;
    if (isOfKind('environmentParts', kind.name, entity)) {
      const name = entity.environment;
      yield { referral: { type: 'environment', name }, definedAs: { type: 'environment', name } };
    } else if (isOfKind('pipelines', kind.name, entity)) {
      const definedAs = { type: 'pipeline', name: entity.name } as const;
      yield { referral: { type: 'pipeline_group', name: entity.group }, definedAs };
      for (const upstream of upstreamsOf(entity)) {
        const found = draft.findEntity('pipelines', upstream);
        if (found && repoOriginOf(found)?.repo === repo) continue;
        yield { referral: { type: 'pipeline', name: upstream }, definedAs };
      }
    }
  }
}

function upstreamsOf({ materials }: EntityNamed<'pipelines'>): string[] {
  return materials.flatMap(({ type, attributes }) => (type === 'dependency' && attributes.pipeline ? [attributes.pipeline] : []));
}
