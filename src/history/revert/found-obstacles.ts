// Problems that the checks of any change have found prevent a revert; the change log has the change that removed a missing entity.
import type { Finding } from '../../config/check-all.ts';
import type { Draft } from '../../config/draft.ts';
import type { InvalidChange } from '../../config/large-change.ts';
import { referencesOf } from '../../config/references.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import { type Kind, keyOf } from '../../shape/resource.ts';
import type { EntityChange, RevisionLog } from '../../store/revisions/revision-log.ts';
import { obstacle, type RevertObstacle } from './obstacle.ts';

/** Maximum number of obstacles whose revision is looked up. */
const MAX_LOOKED_UP = 100;

export async function foundObstacles(
  { findings, conditions }: InvalidChange,
  draft: Draft,
  log: Pick<RevisionLog, 'changesOf'>,
): Promise<RevertObstacle[]> {
  const found = findings.flatMap((finding) => finding.problems.map((problem) => ({ finding, problem })));
  const obstacles: RevertObstacle[] = [];
  for (const [index, { finding, problem }] of found.entries()) {
    const missing = index < MAX_LOOKED_UP ? missingIn(finding, problem, draft) : undefined;
    const removal = missing && (await removalOf(missing, log));
    obstacles.push(obstacle(finding.kind, finding.id, problem.message + (removal ? ` ${describeRemoval(missing, removal)}` : ''), removal));
  }
  return [...obstacles, ...conditions.map((message) => ({ resource: null, id: null, message, revision: null, actor: null }))];
}

interface MissingEntity {
  readonly kind: Kind;
  readonly id: string;
}

/** The missing entity that this one refers to, if that is the problem. */
function missingIn({ kind, id }: Finding, { at, message }: Problem, draft: Draft): MissingEntity | undefined {
  const entity = draft.find(kind, id)?.value;
  const reference =
    entity &&
    referencesOf(kind, entity, draft.findEntity).find(
      ({ at: index, unknown }) => unknown === message && index.join('\n') === at.join('\n'),
    );
  const target = reference && draft.kindNamed(reference.kind);
  return target && { kind: target, id: reference.id };
}

async function removalOf({ kind, id }: MissingEntity, log: Pick<RevisionLog, 'changesOf'>): Promise<EntityChange | undefined> {
  const [last] = await log.changesOf(kind.name, keyOf(kind, id), Number.MAX_SAFE_INTEGER, 1);
  return last?.operation === 'delete' ? last : undefined;
}

function describeRemoval({ kind, id }: MissingEntity, { revision, actor }: EntityChange): string {
  return `${kind.title} '${id}' was deleted in revision ${revision} by ${actor}.`;
}
