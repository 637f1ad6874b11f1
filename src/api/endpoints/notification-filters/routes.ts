// Notification filters: each user's own wishes about mail.
import type { Identity } from '../../../access/identity.ts';
import { keyOf } from '../../../access/users/users.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Filter, Filters } from '../../../notifications/filters.ts';
import { type RecordChange, withRecordPlan } from '../../engine/record-plan.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import { checkIfMatchEtag } from '../../engine/verbs/precondition.ts';
import { duplicateProblems, readContent, refuse, type StagesOf } from './body.ts';
import { DELETED, DESCRIPTIONS, NO_SMTP, unknownFilter } from './docs.ts';
import { contentJson, filterJson, filterListJson, FILTERS_PATH as PATH } from './json.ts';

export interface FilterParts {
  readonly filters: Filters;
  /** Refuses a user who was deleted, or whose authorization configuration was, since the request was let in. */
  revalidate(identity: Identity): void;
  isMailConfigured(): boolean;
  /** Absent while the server has no pipelines at all. */
  readonly stagesOf?: StagesOf;
}

export function notificationFilterRoutes({ filters, revalidate, isMailConfigured, stagesOf }: FilterParts): Route[] {
  const keyIn = ({ identity }: ApiRequest) => keyOf(identity.loginName);
  const own = (request: ApiRequest) => filters.of(keyIn(request));

  return [
    route('GET', PATH, DESCRIPTIONS.list, async (request) => {
      const listed = await own(request);
      return jsonAnswer(filterListJson(listed, request.base));
    }),
    route('POST', PATH, DESCRIPTIONS.create, async (request) => {
      const content = readContent(request.body, stagesOf);
      const decide = (known: readonly Filter[]) => {
        revalidate(request.identity);
        refuse(content, duplicateProblems(content, known));
        return content;
      };
      const added = await filters.add(keyIn(request), decide, { dryRun: request.isDryRun });
      return withRecordPlan(show(added, request.base), request, () => [planned({ after: added })]);
    }),
    route('GET', `${PATH}/:id`, DESCRIPTIONS.show, async (request) => show(filterIn(await own(request), request), request.base)),
    route('PATCH', `${PATH}/:id`, DESCRIPTIONS.replace, async (request) => {
      const content = readContent(request.body, stagesOf);
      let before: Filter | undefined;
      const decide = (known: readonly Filter[]) => {
        before = currentIn(known, request);
        const { id } = before;
        const others = known.filter((filter) => filter.id !== id);
        refuse(content, duplicateProblems(content, others));
        return { id, ...content };
      };
      const after = await filters.replace(keyIn(request), decide, { dryRun: request.isDryRun });
      return withRecordPlan(show(after, request.base), request, () => [planned({ before, after })]);
    }),
    route('DELETE', `${PATH}/:id`, DESCRIPTIONS.remove, async (request) => {
      const removed = await filters.remove(keyIn(request), (known) => currentIn(known, request), { dryRun: request.isDryRun });
      const answer = jsonAnswer({ message: DELETED }, { etag: etagOf(removed) });
      return withRecordPlan(answer, request, () => [planned({ before: removed })]);
    }),
  ];

  function route(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
    return {
      method,
      path,
      version: 2,
      permission: 'user',
      description: { chapter: 'notification-filters', ...description },
      before: () => {
        if (!isMailConfigured()) throw new Refusal('malformed', NO_SMTP);
        return [];
      },
      handle,
    };
  }
}

function filterIn(known: readonly Filter[], { params: { id = '' } }: ApiRequest): Filter {
  if (!/^-?\d+$/.test(id)) throw new Refusal('malformed', 'The notification id should be an integer.');
  const found = known.find((filter) => filter.id === Number(id));
  if (!found) throw new Refusal('notFound', unknownFilter(id));
  return found;
}

function currentIn(known: readonly Filter[], request: ApiRequest): Filter {
  const filter = filterIn(known, request);
  checkIfMatchEtag(request, etagOf(filter));
  return filter;
}

function etagOf({ id, pipeline, stage, event, matchCommits }: Filter): string {
  return sha256(JSON.stringify({ id, pipeline, stage, event, matchCommits }));
}

/** A new filter gets its id when it is written. */
function planned({ before, after }: { readonly before?: Filter | undefined; readonly after?: Filter }): RecordChange {
  const [was, becomes] = [before, after].map((filter) => filter && contentJson(filter));
  const id = before ? String(before.id) : '';
  return { resource: 'notification_filters', title: 'Notification filter', id, before: was, after: becomes };
}

function show(filter: Filter, base: string): Answer {
  return jsonAnswer(filterJson(filter, base), { etag: etagOf(filter) });
}
