// Brings one entity back to its state at a revision.
import type { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { entityAt, type Reversal, revertEntity } from '../../../history/revert/revert.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { objectSchema } from '../../../shape/json/schemas.ts';
import { idOf } from '../../../shape/resource.ts';
import type { RevisionLog } from '../../../store/revisions/revision-log.ts';
import type { Answer, ApiRequest, Route } from '../../engine/route.ts';
import { explaining, type Target } from '../../engine/verbs/conflict.ts';
import { mustMatch, StaleWrite } from '../../engine/verbs/precondition.ts';
import { type Description, OF_MEMBER, OF_ONLY, unknownResource } from '../revisions/docs.ts';
import { findRevision, historyRoute, unknownRevision } from '../revisions/parts.ts';
import { type FindSubject, MEMBER_PATH, memberIn, ONLY_PATH, onlyIn, type Subject } from '../revisions/subject.ts';
import {
  EXAMPLE_CHANGE,
  EXAMPLE_ID,
  EXAMPLE_REVISION,
  REVERSAL,
  REVERT_FAILURES,
  type RevertRouteParts,
  reversalExample,
  reverting,
  withReason,
} from './json.ts';

const BEFORE = EXAMPLE_REVISION - 1;
const TIMEOUT = 'default_job_timeout';
const TIMEOUT_CHANGE: JsonObject = {
  resource: TIMEOUT,
  id: '',
  operation: 'update',
  differences: [
    {
      path: `/${TIMEOUT}`,
      operation: 'replace',
      field: 'default job timeout',
      before: '90',
      after: '30',
      words: "default job timeout changed from '90' to '30'",
    },
  ],
};

export function entityRevertRoutes(parts: RevertRouteParts): Route[] {
  const { config } = parts;
  const route = (path: string, description: Description, subjectIn: FindSubject) =>
    historyRoute('POST', `${path}/revert`, description, (request) => restoreEntity(parts, subjectIn(config, request), request));
  return [
    route(
      MEMBER_PATH,
      {
        ...described(EXAMPLE_CHANGE, config.kind('environments').messages.stale(EXAMPLE_ID)),
        summary: 'Bring an entity back to what it was at a revision',
        parameters: OF_MEMBER,
      },
      memberIn,
    ),
    route(
      ONLY_PATH,
      {
        ...described(TIMEOUT_CHANGE, config.kind('jobTimeout').messages.stale('')),
        summary: 'Bring what there is only one of back to what it was at a revision',
        parameters: OF_ONLY,
      },
      onlyIn,
    ),
  ];
}

function described(change: JsonObject, stale: string): Omit<Description, 'summary'> {
  return {
    details:
      'Later changes to it are undone, and it comes back if it was deleted. What was not there at that revision is not deleted: use DELETE. It is a new revision with all checks of any change. What is put back is what was stored: secrets, and so the ETag, are the former ones. What config repos define cannot be brought back here.',
    request: {
      schema: objectSchema({ revision: { type: 'integer', description: 'It becomes what it was after this revision.' } }),
      example: { revision: BEFORE },
    },
    response: REVERSAL,
    example: reversalExample(BEFORE, change),
    changes: 'configuration',
    ifMatch: 'optional',
    takesIfNoneMatch: true,
    failures: {
      ...REVERT_FAILURES,
      404: {
        when: 'There is no such kind of configuration, or there never was such an entity.',
        example: { message: unknownResource('unknown') },
      },
      412: {
        when: 'If-Match names another version of the entity than the one that is there, or it is not there; or it is there, and If-None-Match says `*`.',
        example: { message: stale },
      },
      422: { when: 'There is no such revision, or something stands in the way; `data` says what.' },
    },
  };
}

async function restoreEntity(parts: RevertRouteParts, subject: Subject, request: ApiRequest): Promise<Answer> {
  // A kind that has only endpoints of its own is brought back with its revision.
  if (subject.kind.isInternal) throw new Refusal('notFound', unknownResource(request.params.resource ?? ''));
  const revision = await revisionIn(request.body, parts.log);
  const refused = `${nameOf(subject)} cannot be reverted to revision ${revision}.`;
  return reverting({ revision, refused }, request, parts, () => entityBack(parts, subject, request, revision));
}

function nameOf({ kind, id }: Subject): string {
  return kind.shape === 'singleton' ? kind.title : `${kind.title} '${id}'`;
}

async function entityBack(parts: RevertRouteParts, subject: Subject, request: ApiRequest, revision: number): Promise<Reversal> {
  const { kind, id: address } = subject;
  const then = await entityAt(kind, address, revision, parts).catch(async (failure: unknown) => {
    await mustHaveBeen(subject, parts.log);
    throw failure;
  });
  const id = idOf(kind, then);
  const target: Target<Entry | undefined> = {
    kind,
    id,
    parts: { ...parts, changeLog: parts.log },
    request,
    find: (draft) => draft.find(kind, id),
  };
  const options = {
    author: withReason(request.author, `Revert to revision ${revision}`),
    dryRun: request.isDryRun,
    checkIfMatch: (draft: Draft, now: Entry | undefined) => {
      const ifMatch = request.header('if-match');
      // `If-None-Match: *` restores a deleted entity, and must not overwrite a new one of the same name.
      if (now && request.header('if-none-match')?.trim() === '*') throw new StaleWrite(kind, id);
      if (now) mustMatch(kind, id, now, draft, ifMatch, false);
      else if (ifMatch !== undefined) throw new StaleWrite(kind, id);
    },
  };
  return explaining(
    target,
    () => revertEntity(kind, then, options, parts),
    () => then,
  );
}

/** An entity that never existed cannot be brought back, and has no history. */
async function mustHaveBeen({ kind, id, key }: Subject, log: RevisionLog): Promise<void> {
  const changes = await log.changesOf(kind.name, key, Number.MAX_SAFE_INTEGER, 1);
  if (changes.length === 0) throw new Refusal('notFound', kind.messages.notFound(id));
}

async function revisionIn({ revision }: JsonObject, log: RevisionLog): Promise<number> {
  const given = typeof revision === 'number' || typeof revision === 'string' ? String(revision) : undefined;
  const found = given === undefined ? undefined : await findRevision(log, given);
  if (found) return found.revision;
  const message = given === undefined ? 'The member `revision` must be the number of a revision.' : unknownRevision(given.slice(0, 100));
  throw new Refusal('invalid', message, { data: { ...(revision !== undefined && { revision }), errors: { revision: [message] } } });
}
