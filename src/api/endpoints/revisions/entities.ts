// The history of one entity, and the author of each of its fields.
import type { Config } from '../../../config/current.ts';
import { Draft } from '../../../config/draft.ts';
import { type BlamedField, blame } from '../../../history/blame.ts';
import { changesBefore } from '../../../history/entity-changes.ts';
import { differenceOf } from '../../../history/logged-change.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { atAnyTime } from '../../engine/at-time.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { BLAME, BLAME_ONLY, type Description, HISTORY, HISTORY_ONLY } from './docs.ts';
import { blamedJson, differenceJson, entityPath, listJson, revisionJson, revisionLinks } from './json.ts';
import { END, type HistoryRouteParts, historyRoute } from './parts.ts';
import { nextAddress, pageIn } from './query.ts';
import { type FindSubject, MEMBER_PATH, memberIn, ONLY_PATH, onlyIn, type Subject } from './subject.ts';

export function entityHistoryRoutes(parts: HistoryRouteParts): Route[] {
  const blaming = (path: string, description: Description, subjectIn: FindSubject) => {
    const route = historyRoute('GET', path, description, (request) => blameOf(parts, subjectIn(parts.config, request), request, END));
    return atAnyTime(route, parts, (revision, request) => blameOf(parts, subjectIn(parts.config, request), request, revision + 1));
  };
  return [
    historyRoute('GET', `${MEMBER_PATH}/history`, HISTORY, (request) => historyOf(parts, memberIn(parts.config, request), request)),
    blaming(`${MEMBER_PATH}/blame`, BLAME, memberIn),
    historyRoute('GET', `${ONLY_PATH}/history`, HISTORY_ONLY, (request) => historyOf(parts, onlyIn(parts.config, request), request)),
    blaming(`${ONLY_PATH}/blame`, BLAME_ONLY, onlyIn),
  ];
}

async function historyOf({ log, config }: HistoryRouteParts, subject: Subject, { query, base }: ApiRequest): Promise<Answer> {
  const { kind, id, key } = subject;
  const { size, cursor = END } = pageIn(query);
  const path = `${entityPath(kind, id)}/history`;
  const listed: JsonOut[] = [];
  let [last, next] = [cursor, undefined as string | undefined];
  for await (const change of changesBefore(log, kind, key, cursor)) {
    if (listed.length === size) {
      next = nextAddress(path, query, last);
      break;
    }
    last = change.revision;
    listed.push({
      _links: revisionLinks(change.revision, base),
      ...revisionJson(change),
      operation: change.operation,
      ...differenceJson(await differenceOf(kind, change)),
    });
  }
  if (listed.length === 0 && cursor === END) throw new Refusal('notFound', kind.messages.notFound(id));
  return jsonAnswer(listJson(path, 'revisions', listed, base, next, partLinks(config, subject, 'history')));
}

/** Who last changed each field of an entity as it was before the revision `end`. */
async function blameOf(parts: HistoryRouteParts, subject: Subject, { base }: ApiRequest, end: number): Promise<Answer> {
  const { kind, id, key } = subject;
  const fields = await blame(kind, changesBefore(parts.log, kind, key, end));
  if (!fields) throw new Refusal('notFound', kind.messages.notFound(id));
  return jsonAnswer(
    listJson(
      `${entityPath(kind, id)}/blame`,
      'fields',
      fields.map((field: BlamedField) => blamedJson(field)),
      base,
      undefined,
      end === END ? partLinks(parts.config, subject, 'blame') : {},
    ),
  );
}

/** Where the same is shown for the parts that others define of it: they are entities of their own, which only its answers show. */
function partLinks(config: Config, { kind, key }: Subject, what: 'history' | 'blame'): Readonly<Record<string, string>> {
  const of = config.kinds.get(kind.shows?.members?.kind ?? '');
  if (of?.shape !== 'collection' || !of.isInternal) return {};
  const parts = new Draft(config).referrers(kind.name, key).filter((referrer) => referrer.kind === of.name);
  return Object.fromEntries(parts.map(({ id }) => [`part:${id}`, `${entityPath(of, id)}/${what}`]));
}
