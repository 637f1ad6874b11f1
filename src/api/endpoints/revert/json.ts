// The common part of the routes that take something back: their answers, and the obstacles.
import type { Author } from '../../../config/revision.ts';
import { changesBy, realEdits } from '../../../history/edits.ts';
import { CannotRevert, type RevertObstacle } from '../../../history/revert/obstacle.ts';
import type { Reversal, RevertParts } from '../../../history/revert/revert.ts';
import { notKept } from '../../../history/stored-value.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject, JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { RevisionLog } from '../../../store/revisions/revision-log.ts';
import { type Answer, type ApiRequest, type Failure, jsonAnswer } from '../../engine/route.ts';
import { refusalBody } from '../../http/refusal-reply.ts';
import { CHANGED_SCHEMA, changedJson } from '../common/changed-json.ts';

export interface RevertRouteParts extends RevertParts {
  readonly log: RevisionLog;
}

const MAX_OBSTACLES = 100;
const MAYBE_NUMBER = { type: ['integer', 'null'] };
const OBSTACLE = objectSchema(
  {
    resource: described(MAYBE_TEXT, 'The kind of configuration; null: it belongs to none.'),
    id: described(MAYBE_TEXT, 'The entity; null: it belongs to none.'),
    message: described(TEXT, 'The reason in words.'),
    revision: described(MAYBE_NUMBER, 'The later revision that stands in the way.'),
    actor: described(MAYBE_TEXT, 'Who made it.'),
  },
  { title: 'What is left as it is, and why' },
);

export const REVERSAL: JsonSchema = objectSchema(
  {
    reverted: { type: 'integer', description: 'The revision that was asked for.' },
    changes: { type: 'array', description: 'What was put back.', items: CHANGED_SCHEMA },
    left_out: { type: 'array', description: 'What config repos define.', items: OBSTACLE },
  },
  { title: 'Reversal' },
);

export const EXAMPLE_REVISION = 42;
export const EXAMPLE_ID = 'preview';

export const reversalExample = (reverted: number, change: JsonObject): JsonObject => ({
  reverted,
  changes: [{ ...change, etag: 'c1f8ee0ea2a3c4e5d2d2b0f3f8e9a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0' }],
  left_out: [],
});

export const EXAMPLE_CHANGE: JsonObject = {
  resource: 'environments',
  id: EXAMPLE_ID,
  operation: 'update',
  differences: [
    {
      path: '/environment_variables/0/value',
      operation: 'replace',
      field: "environment variable 'REGION', value",
      before: 'south',
      after: 'north',
      words: "environment variable 'REGION', value changed from 'south' to 'north'",
    },
  ],
};

export const REVERT_FAILURES: Readonly<Record<number, Partial<Failure>>> = {
  410: { when: 'This revision is no longer kept.', example: () => refusalBody(notKept(1, 2)) },
  422: { when: 'Something stands in the way; `data.obstacles` names it, with the revision and the actor it came from.' },
};

/** A revision that takes something back says so, unless its author gives another reason. */
export function withReason(author: Author, reason: string): Author {
  return { ...author, reason: author.reason || reason };
}

/** Answers with the changes that were put back, or would be; `refused` is the message when some cannot be. */
export async function reverting(
  { revision, refused }: { readonly revision: number; readonly refused: string },
  request: ApiRequest,
  { past }: RevertRouteParts,
  run: () => Promise<Reversal>,
): Promise<Answer> {
  // Refused when it is not kept.
  await past.revisionAt(String(revision));
  try {
    const reversal = await run();
    if (request.isDryRun) request.noteDryRun(reversal.draft);
    return await answerOf(revision, reversal);
  } catch (failure) {
    if (failure instanceof CannotRevert) throw refusalOf(refused, failure.obstacles);
    throw failure;
  }
}

async function answerOf(reverted: number, { draft, leftOut }: Reversal): Promise<Answer> {
  const { edits, revision } = draft;
  const body: JsonOut = { reverted, changes: changedJson(await changesBy(edits, draft)), left_out: leftOut.map((one) => ({ ...one })) };
  return jsonAnswer(body, realEdits(edits).length > 0 ? { revision } : {});
}

function refusalOf(refused: string, obstacles: readonly RevertObstacle[]): Refusal {
  const [first] = obstacles;
  const more = obstacles.length > 1 ? ` (and ${obstacles.length - 1} more, see data)` : '';
  return new Refusal('invalid', `${refused} ${first!.message}${more}`, {
    data: { obstacles: obstacles.slice(0, MAX_OBSTACLES) },
  });
}
