// The list of pipelines: by the groups the user may see, page by page on request, with the members the request asks for.
import { type Identity, withoutScopes } from '../../../access/identity.ts';
import { Draft } from '../../../config/draft.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, embeddedSchema, LINKS, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { Collection, Kind } from '../../../shape/resource.ts';
import { EXAMPLE_BASE, exampleId } from '../../engine/answer-example.ts';
import { atAnyTime, type State, stateAt } from '../../engine/at-time.ts';
import { visibleTo } from '../../engine/guards.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { versionsOf } from '../../engine/resource-route.ts';
import { responseSchema } from '../../engine/resource-schemas.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { type ListCursor, readCursor, writeCursor } from './list-cursor.ts';

export interface PipelineKinds {
  readonly pipelines: Kind<'pipelines'> & Collection;
  readonly groups: Kind<'pipelineGroups'> & Collection;
}

const MAX_PAGE_SIZE = 1000;
/** The members for all users who may see the pipeline. The others, with secrets among them, are for its administrators. */
const VIEWER_MEMBERS: ReadonlySet<string> = new Set(['_links', 'name', 'group', 'template', 'origin']);

export function pipelineListRoute({ pipelines, groups }: PipelineKinds, parts: ResourceParts): Route {
  const { access, config } = parts;
  const { path, doc: chapter } = pipelines;
  const route: Route = {
    method: 'GET',
    path,
    ...versionsOf(pipelines),
    permission: 'user',
    description: {
      chapter,
      summary: 'List of pipelines by group',
      callers: 'every user; each sees the groups they may see',
      query: {
        search: { ...TEXT, description: 'Part of the name.' },
        group: { ...TEXT, description: 'Only this group.' },
        page_size: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_PAGE_SIZE,
          description: 'How many at once; then `next` in the links leads on.',
        },
        after: { ...TEXT, description: 'Continue after this pipeline.' },
        cursor: { ...TEXT, description: 'Continue where a page ended, as `next` in its links has it; also another name of `after`.' },
        fields: {
          ...TEXT,
          description: `Members of the pipeline to show, separated by commas; the name alone when absent. A user who sees a pipeline but does not administer it gets of them ${[...VIEWER_MEMBERS].filter((name) => name !== '_links').join(', ')}.`,
        },
      },
      response: embeddedSchema(
        'groups',
        objectSchema({
          name: described(TEXT, 'The name of the group.'),
          pipelines: { type: 'array', items: LISTED_SCHEMA, description: 'The pipelines of the group.' },
        }),
      ),
      example: listJson(
        [{ name: String(pipelines.example.group), pipelines: [shortJson(exampleId(pipelines), EXAMPLE_BASE)] }],
        { self: path, doc: docLink(chapter) },
        EXAMPLE_BASE,
      ),
      hasEtag: true,
      failures: { 400: { when: 'A query parameter has a value that is not allowed.' } },
    },
    handle: (request) => list(parts, request),
  };
  return atAnyTime(route, parts, async (at, request) => list(await stateAt(parts, [groups.name, pipelines.name], at), request));

  function list(state: State, request: ApiRequest): Answer {
    const page = pageOf(state, request);
    const members = membersOf(request);
    const listed = page.listed.map(({ name, pipelines: inGroup }) => ({
      name,
      pipelines: inGroup.map((one) =>
        pipelineJson(state, one, mayReadWhole(request.identity, state, one) ? members : viewerMembers(members), request.base),
      ),
    }));
    const addresses = { self: path, doc: docLink(chapter), ...(page.next !== undefined && { next: nextAddress(request, page.next) }) };
    return jsonAnswer(listJson(listed, addresses, request.base));
  }

  interface Page {
    readonly listed: { readonly name: string; readonly pipelines: string[] }[];
    readonly next: ListCursor | undefined;
  }

  /** Where to begin: after a pipeline that is there, or where an earlier page ended, even if pipelines have been deleted since. */
  function startOf({ config: shownConfig }: State, { identity, query }: ApiRequest): ListCursor | undefined {
    const given = query.get('after') ?? query.get('cursor');
    if (given === null) return undefined;
    const cursor = readCursor(given);
    if (cursor) return cursor;
    const previous = shownConfig.of(pipelines.name).find(given);
    const group = previous && shownConfig.of(groups.name).find(previous.value.group);
    if (group && access.mayView(identity, { group: group.key, pipeline: previous.key }))
      return { group: group.created, pipeline: previous.created };
    throw new Refusal(
      'malformed',
      `There is no pipeline '${given.toLowerCase().slice(0, 100)}' to continue after. Start without the query parameter 'after'.`,
    );
  }

  /** Walks the groups in order and stops when the page is full. */
  function pageOf(state: State, request: ApiRequest): Page {
    const { config: shownConfig } = state;
    const { identity, query } = request;
    const user = withoutScopes(identity);
    const draft = new Draft(shownConfig);
    const search = query.get('search')?.toLowerCase() ?? '';
    const only = query.get('group')?.toLowerCase();
    const size = sizeOf(query.get('page_size'));
    const start = startOf(state, request);
    const isFiltered = search !== '' || start !== undefined || size !== Number.POSITIVE_INFINITY;
    const createdOf = (id: string) => shownConfig.of(pipelines.name).find(id)!.created;
    let last: { readonly group: number; readonly id: string } | undefined;
    let count = 0;
    const listed: Page['listed'] = [];
    for (const { key, value, created } of shownConfig.of(groups.name).all()) {
      if ((only !== undefined && key !== only) || !access.mayViewGroup(user, key)) continue;
      if (start && created < start.group) continue;
      const group = { name: value.name, pipelines: [] as string[] };
      const inGroup = draft.referrers(groups.name, key).filter((referrer) => referrer.kind === pipelines.name);
      // Rights are those of today, also to pipelines that were in another group then.
      const isUnfiltered = shownConfig === config && !identity.scopes;
      for (const { id } of isUnfiltered ? inGroup : inGroup.filter((referrer) => mayViewNow(identity, referrer.id))) {
        if (start?.group === created && createdOf(id) <= start.pipeline) continue;
        if (!id.toLowerCase().includes(search)) continue;
        if (count === size) {
          if (group.pipelines.length > 0) listed.push(group);
          return { listed, next: { group: last!.group, pipeline: createdOf(last!.id) } };
        }
        group.pipelines.push(id);
        last = { group: created, id };
        count++;
      }
      if (group.pipelines.length > 0 || (!isFiltered && access.mayViewGroup(identity, key))) listed.push(group);
    }
    return { listed, next: undefined };
  }

  function mayViewNow(identity: Identity, name: string): boolean {
    const now = config.of(pipelines.name).find(name);
    return now ? access.mayView(identity, { group: now.value.group, pipeline: name }) : access.isAdmin(identity);
  }

  /** Whether the pipeline itself would be shown to them, as it is now and as it was: then nothing of it is kept from them here. */
  function mayReadWhole(identity: Identity, { config: shownConfig }: State, name: string): boolean {
    const isVisible = visibleTo(identity, pipelines, access);
    const found = [config, shownConfig].map((one) => one.of(pipelines.name).find(name));
    return !isVisible || found.every((entry) => entry !== undefined && isVisible(entry));
  }

  function membersOf({ query }: ApiRequest): readonly string[] {
    const wanted =
      query
        .get('fields')
        ?.split(',')
        .map((name) => name.trim()) ?? [];
    if (wanted.length === 0) return wanted;
    const known = Object.keys(responseSchema(pipelines).properties as object);
    const unknown = wanted.find((name) => !known.includes(name));
    if (unknown === undefined) return wanted;
    throw new Refusal(
      'malformed',
      `Value \`${unknown.slice(0, 100)}\` is not allowed for query parameter named \`fields\`. Valid values are ${known.join(', ')}.`,
    );
  }

  function pipelineJson({ config: shownConfig, renderer }: State, name: string, members: readonly string[], base: string): JsonOut {
    const own = shortJson(name, base);
    if (members.length === 0) return own;
    const whole = JSON.parse(renderer.one(pipelines, shownConfig.of(pipelines.name).find(name)!, base).text) as JsonOut;
    return { ...own, ...Object.fromEntries(members.map((member) => [member, whole[member] ?? null])) };
  }

  function shortJson(name: string, base: string): JsonOut {
    const self = `${path}/${encodeURIComponent(name)}`;
    return { _links: links(base, { self, doc: docLink(chapter), find: `${path}/:${pipelines.idParameter}` }), name };
  }

  function nextAddress({ query }: ApiRequest, cursor: ListCursor): string {
    const next = new URLSearchParams(query);
    next.delete('after');
    next.set('cursor', writeCursor(cursor));
    return `${path}?${next}`;
  }
}

function viewerMembers(members: readonly string[]): readonly string[] {
  return members.filter((member) => VIEWER_MEMBERS.has(member));
}

const LISTED_SCHEMA = {
  ...objectSchema({ _links: LINKS, name: described(TEXT, 'The name of the pipeline.') }),
  additionalProperties: true,
  description: 'With the members that were asked for.',
};

function listJson(groups: readonly JsonOut[], addresses: Readonly<Record<string, string>>, base: string): JsonOut {
  return { _links: links(base, addresses), _embedded: { groups } };
}

function sizeOf(given: string | null): number {
  if (given === null) return Number.POSITIVE_INFINITY;
  const size = Number(given);
  if (Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE) return size;
  throw new Refusal('malformed', `The query parameter 'page_size', if specified must be a number between 1 and ${MAX_PAGE_SIZE}.`);
}
