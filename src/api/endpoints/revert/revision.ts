// Takes back a revision.
import { revertRevision } from '../../../history/revert/revert.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Route } from '../../engine/route.ts';
import { REVISIONS_PATH } from '../revisions/json.ts';
import { historyRoute, revisionNamed, unknownRevision } from '../revisions/parts.ts';
import {
  EXAMPLE_CHANGE,
  EXAMPLE_REVISION,
  REVERSAL,
  REVERT_FAILURES,
  type RevertRouteParts,
  reversalExample,
  reverting,
  withReason,
} from './json.ts';

const ONE_ONLY = 'If-Match names the version of one entity. To revert a single entity, use its own address.';

export function configRevertRoute(parts: RevertRouteParts): Route {
  return historyRoute(
    'POST',
    `${REVISIONS_PATH}/:revision/revert`,
    {
      summary: 'Take back a revision',
      details:
        'What the revision changed becomes as it was before it. What others have changed since stays, in other fields of the same entity too; where they have touched the same fields, nothing is done and each of them is named. It is a new revision with all checks of any change. What is put back is what was stored: secrets, and so ETags, are the former ones. What is created anew stands at the end of its list. What config repos define cannot be taken back here. Send an empty object, or no body and the confirm header.',
      parameters: { revision: { description: 'The number of the revision.', example: String(EXAMPLE_REVISION) } },
      request: { schema: { type: 'object', properties: {}, additionalProperties: false }, example: {} },
      response: REVERSAL,
      example: reversalExample(EXAMPLE_REVISION, EXAMPLE_CHANGE),
      changes: 'configuration',
      failures: {
        ...REVERT_FAILURES,
        400: { when: 'The body is not a JSON object, it and the confirm header are missing, or If-Match is sent.' },
        404: { when: 'There is no such revision.', example: { message: unknownRevision('4711') } },
      },
    },
    async (request) => {
      const { revision } = await revisionNamed(parts.log, request.params.revision);
      const ifMatch = request.header('if-match');
      if (ifMatch !== undefined && ifMatch.trim() !== '*') throw new Refusal('malformed', ONE_ONLY);
      const options = { author: withReason(request.author, `Revert of revision ${revision}`), dryRun: request.isDryRun };
      return reverting({ revision, refused: `Revision ${revision} cannot be reverted.` }, request, parts, () =>
        revertRevision(revision, options, parts),
      );
    },
  );
}
