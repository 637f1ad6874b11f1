// Takes back a revision, or brings one entity back to what it was at a revision.
import type { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { changesBy, realEdits } from '../../history/edits.ts';
import { CannotRevert, type Obstacle } from '../../history/revert/obstacle.ts';
import { entityAt, type Reversal, type RevertParts, revertEntity, revertRevision } from '../../history/revert/revert.ts';
import { notKept } from '../../history/stored-value.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { JsonObject, JsonOut } from '../../shape/json.ts';
import { idOf } from '../../shape/resource.ts';
import { MAYBE_TEXT, objectSchema, TEXT } from '../../shape/schemas.ts';
import type { RevisionLog } from '../../store/revision-log.ts';
import { refusalBody } from '../refusal-reply.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../route.ts';
import { explaining, type Target } from '../verbs/conflict.ts';
import { mustMatch, StaleWrite } from '../verbs/precondition.ts';
import { CHANGED_SCHEMA, changedJson, ID, kindCalled, RESOURCE } from './changed-json.ts';
import { CHAPTER, REVISIONS_PATH } from './revisions-json.ts';
import { revisionNamed, unknownRevision } from './revisions-parts.ts';

export interface RevertRouteParts extends RevertParts {
  readonly log: RevisionLog;
}

const MOST_OBSTACLES = 100;
const MAYBE_NUMBER = { type: ['integer', 'null'] };
const OBSTACLE = objectSchema(
  { resource: MAYBE_TEXT, id: MAYBE_TEXT, message: TEXT, revision: MAYBE_NUMBER, actor: MAYBE_TEXT },
  { title: 'What is left as it is, and why' },
);
const EXAMPLE_REVISION = 42;
const EXAMPLE_ID = 'preview';
const ONE_ONLY = 'If-Match speaks of one entity: send it together with `resource` and `id`.';

const EXAMPLE: JsonObject = {
  reverted: EXAMPLE_REVISION,
  changes: [
    {
      resource: 'environments',
      id: EXAMPLE_ID,
      operation: 'update',
      etag: 'c1f8ee0ea2a3c4e5d2d2b0f3f8e9a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0',
      differences: [
        {
          path: '/environment_variables/0/value',
          operation: 'replace',
          before: 'south',
          after: 'north',
          words: "environment variable 'REGION', value changed from 'south' to 'north'",
        },
      ],
    },
  ],
  left_out: [],
};

export function configRevertRoute(parts: RevertRouteParts): Route {
  const environments = parts.config.kinds.get('environments')!;
  return {
    method: 'POST',
    path: `${REVISIONS_PATH}/:revision/revert`,
    version: 1,
    permission: 'admin',
    description: {
      chapter: CHAPTER,
      summary: 'Take back a revision, or bring an entity back to what it was',
      details:
        'With an empty object: what the revision changed becomes as it was before it. What others have changed since stays, in other fields of the same entity too; where they have touched the same fields, nothing is done and each of them is named. With `resource` and `id`: that one entity becomes as it was at the revision, whatever happened since; it comes back if it was deleted. Either is a new revision with all checks of any change. What is put back is what was stored: secrets, and so ETags, are the former ones. What is created anew stands at the end of its list. What config repos define cannot be taken back here.',
      parameters: { revision: { description: 'The number of the revision.', example: String(EXAMPLE_REVISION) } },
      request: {
        schema: {
          type: 'object',
          properties: { resource: RESOURCE, id: ID },
        },
        example: {},
      },
      response: objectSchema(
        {
          reverted: { type: 'integer', description: 'The revision that was asked for.' },
          changes: { type: 'array', description: 'What was put back.', items: CHANGED_SCHEMA },
          left_out: { type: 'array', description: 'What config repos define.', items: OBSTACLE },
        },
        { title: 'Reversal' },
      ),
      example: EXAMPLE,
      changes: 'configuration',
      ifMatch: 'optional',
      failures: {
        404: { when: 'There is no such revision.', example: { message: unknownRevision('4711') } },
        410: { when: 'That revision is not kept any more.', example: refusalBody(notKept(1, 2)) as JsonObject },
        400: { when: 'The body is not a JSON object, or If-Match is sent for a whole revision.' },
        412: {
          when: 'If-Match names another version of the entity than the one that is there, or it is not there.',
          example: { message: environments.messages.stale(EXAMPLE_ID) },
        },
        422: { when: 'Something stands in the way; `data.obstacles` names it, with the revision and the actor it came from.' },
      },
    },
    handle: (request) => revert(parts, request),
  };
}

async function revert(parts: RevertRouteParts, request: ApiRequest): Promise<Answer> {
  const { revision } = await revisionNamed(parts.log, request.params.revision);
  // Refused when it is not kept.
  await parts.past.revisionAt(String(revision));
  const ask = { author: request.author, dryRun: request.isDryRun };
  const { resource, id } = request.body;
  const isWhole = resource === undefined && id === undefined;
  const ifMatch = request.header('if-match');
  if (isWhole && ifMatch !== undefined && ifMatch.trim() !== '*') throw new Refusal('malformed', ONE_ONLY);
  try {
    const reversal = isWhole ? await revertRevision(revision, ask, parts) : await entityBack(parts, request, revision);
    if (request.isDryRun) request.noteTried(reversal.draft);
    return answerOf(revision, reversal);
  } catch (failure) {
    if (failure instanceof CannotRevert) throw refusalOf(revision, failure.obstacles);
    throw failure;
  }
}

async function entityBack(parts: RevertRouteParts, request: ApiRequest, revision: number): Promise<Reversal> {
  const kind = kindCalled([...parts.config.kinds.values()], textIn(request.body, 'resource'));
  const address = kind.shape === 'singleton' ? '' : textIn(request.body, 'id');
  const then = await entityAt(kind, address, revision, parts);
  const id = idOf(kind, then);
  const target: Target<Entry | undefined> = {
    kind,
    id,
    parts: { ...parts, changeLog: parts.log },
    request,
    find: (draft) => draft.find(kind, id),
  };
  const options = {
    author: request.author,
    dryRun: request.isDryRun,
    mustBeCurrent: (draft: Draft, now: Entry | undefined) => {
      const ifMatch = request.header('if-match');
      if (now) mustMatch(kind, id, now, draft, ifMatch, false);
      else if (ifMatch !== undefined) throw new StaleWrite(kind, id);
    },
  };
  return explaining(target, () => revertEntity(kind, then, options, parts), then);
}

function textIn(body: JsonObject, name: 'resource' | 'id'): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  const message = `Give both \`resource\` and \`id\` as texts, or neither: \`${name}\` is missing.`;
  throw new Refusal('invalid', message, { data: { ...body, errors: { [name]: [message] } } });
}

function answerOf(reverted: number, { draft: { edits, revision }, leftOut }: Reversal): Answer {
  const body: JsonOut = { reverted, changes: changedJson(changesBy(edits)), left_out: leftOut.map((one) => ({ ...one })) };
  return jsonAnswer(body, realEdits(edits).length > 0 ? { revision } : {});
}

function refusalOf(revision: number, obstacles: readonly Obstacle[]): Refusal {
  const [first] = obstacles;
  const more = obstacles.length > 1 ? ` (and ${obstacles.length - 1} more, see data)` : '';
  return new Refusal('invalid', `Revision ${revision} cannot be reverted. ${first!.message}${more}`, {
    data: { obstacles: obstacles.slice(0, MOST_OBSTACLES) },
  });
}
