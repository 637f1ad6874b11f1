// The history of the configuration: its revisions, the changes of each, and names for those worth keeping.
import type { Config } from '../../../config/current.ts';
import { differenceOf } from '../../../history/logged-change.ts';
import { searchText } from '../../../history/text-search.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { ChangeLine, LoggedRevision } from '../../../store/revisions/revision-log.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { etagOfText } from '../../http/headers/etags.ts';
import { LIST, NAME, SHOW } from './docs.ts';
import { entityHistoryRoutes } from './entities.ts';
import { changedJson, differenceJson, listJson, REVISIONS_PATH, revisionJson, revisionLinks } from './json.ts';
import { setRevisionName } from './name.ts';
import { END, type HistoryRouteParts, historyRoute, idIn, revisionNamed } from './parts.ts';
import { filterIn, nextAddress, pageIn, textIn } from './query.ts';

/** A revision in a list names the first of its changes. */
const MAX_LISTED = 10;
const ONE_PATH = `${REVISIONS_PATH}/:revision`;

export function revisionRoutes(parts: HistoryRouteParts): Route[] {
  const { config, log } = parts;
  return [
    historyRoute('GET', REVISIONS_PATH, LIST, async ({ query, base }) => {
      const { size, cursor = END } = pageIn(query);
      const filter = filterIn(query, config);
      const text = textIn(query, 'text');
      const { revisions, next } = await (text === undefined
        ? log.page(filter, cursor, size)
        : searchText({ text, filter, before: cursor, size }, { log, kinds: config.kinds }));
      const numbers = revisions.map(({ revision }) => revision);
      const changes = Map.groupBy(await log.firstChanges(numbers, MAX_LISTED), ({ revision }) => revision);
      const listed = revisions.map((one) => ({
        _links: revisionLinks(one.revision, base),
        ...revisionJson(one),
        changes: (changes.get(one.revision) ?? []).flatMap((change) => lineJson(config, change)),
      }));
      const further = next === undefined ? undefined : nextAddress(REVISIONS_PATH, query, next);
      return jsonAnswer(listJson(REVISIONS_PATH, 'revisions', listed, base, further));
    }),
    historyRoute('GET', ONE_PATH, SHOW, async (request) => jsonAnswer(await detailJson(parts, request))),
    historyRoute('PATCH', ONE_PATH, NAME, (request) =>
      setRevisionName(parts, request, async () => etagOfText(JSON.stringify(await detailJson(parts, request)), request.base)),
    ),
    ...entityHistoryRoutes(parts),
  ];
}

async function detailJson({ config, log }: HistoryRouteParts, { params, query, base }: ApiRequest): Promise<JsonOut> {
  const found = await revisionNamed(log, params.revision);
  const { size, cursor: from = 0 } = pageIn(query, 0);
  const changes = await log.changes(found.revision, from, size);
  const shown: JsonOut[] = [];
  for (const change of changes) {
    const kind = config.kinds.get(change.kind);
    const differences = differenceJson(kind && (await differenceOf(kind, change)));
    shown.push(...lineJson(config, change).map((line) => ({ ...line, ...differences })));
    await pause();
  }
  return { _links: detailLinks(found, from + changes.length, query, base), ...revisionJson(found), changes: shown };
}

function detailLinks({ revision, changeCount }: LoggedRevision, next: number, query: ApiRequest['query'], base: string): JsonOut {
  const own = revisionLinks(revision, base);
  return next >= changeCount ? own : { ...own, next: { href: base + nextAddress(`${REVISIONS_PATH}/${revision}`, query, next) } };
}

/** Nothing for a kind that this version does not have. */
function lineJson(config: Config, { kind: kindName, key, operation }: ChangeLine): JsonOut[] {
  const kind = config.kinds.get(kindName);
  return kind ? [changedJson({ kind, id: idIn(config, kind, key), operation })] : [];
}
