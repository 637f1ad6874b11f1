// Notification filters: each user's own wishes about mail.
import { keyOf } from '../../access/users.ts';
import { sha256 } from '../../kit/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import {
  ANY_PIPELINE,
  ANY_STAGE,
  coveringFilter,
  EVENTS,
  type Filter,
  type FilterContent,
  type Filters,
} from '../../notifications/filters.ts';
import type { JsonObject, JsonOut } from '../../shape/json.ts';
import { annotate, type Problem } from '../../shape/problem.ts';
import { missing, type Place, readFlag, readText } from '../../shape/reading.ts';
import { MESSAGE } from '../resource-schemas.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../route.ts';
import { docLink, links } from './links.ts';
import { plainReading } from './plain-reading.ts';

const PATH = '/api/notification_filters';
const LONGEST_NAME = 255;
const NO_SMTP = 'SMTP settings are currently not configured. Ask your administrator to configure SMTP settings.';

export interface FilterParts {
  readonly filters: Filters;
  isMailConfigured(): boolean;
  /** The stages of a pipeline by name, undefined for one that does not exist; absent while the server has no pipelines at all. */
  stagesOf?(pipeline: string): readonly string[] | undefined;
}

export function notificationFilterRoutes({ filters, isMailConfigured, stagesOf }: FilterParts): Route[] {
  const own = ({ identity }: ApiRequest) => filters.of(keyOf(identity.loginName));
  const find = async (request: ApiRequest): Promise<Filter> => {
    const id = request.params.id ?? '';
    if (!/^-?\d+$/.test(id)) throw new Refusal('malformed', 'The notification id should be an integer.');
    const found = (await own(request)).find((filter) => filter.id === Number(id));
    if (!found) throw new Refusal('notFound', `Notification filter with id '${id}' was not found!`);
    return found;
  };
  const accept = (content: FilterContent, others: readonly Filter[]): void => {
    const problems = [...contentProblems(content, stagesOf), ...duplicateProblems(content, others)];
    // The reference answers with the filter itself, not with `data`.
    if (problems.length > 0) {
      throw new Refusal('invalid', problems.map((problem) => problem.message).join(' '), {
        more: annotate(contentJson(content), problems),
      });
    }
  };

  return [
    route('GET', PATH, { summary: 'List of your notification filters', response: LIST_SCHEMA, hasEtag: true }, async (request) => {
      const listed = await own(request);
      const body = {
        _links: links(request.base, { self: PATH, doc: docLink('notification-filters') }),
        _embedded: { filters: listed.map((filter) => filterJson(filter, request.base)) },
      };
      return jsonAnswer(body, { etag: sha256(JSON.stringify(listed)) });
    }),
    route(
      'POST',
      PATH,
      { summary: 'Create a notification filter', request: BODY, response: FILTER_SCHEMA, hasEtag: true },
      async (request) => {
        const content = readContent(request.body);
        accept(content, await own(request));
        const filter = request.isDryRun ? { id: 0, ...content } : await filters.add(keyOf(request.identity.loginName), content);
        return show(filter, request.base);
      },
    ),
    route('GET', `${PATH}/:id`, { summary: 'Show a notification filter', response: FILTER_SCHEMA, hasEtag: true }, async (request) =>
      show(await find(request), request.base),
    ),
    route(
      'PATCH',
      `${PATH}/:id`,
      { summary: 'Replace a notification filter', request: BODY, response: FILTER_SCHEMA, hasEtag: true },
      async (request) => {
        const content = readContent(request.body);
        const { id } = await find(request);
        accept(
          content,
          (await own(request)).filter((filter) => filter.id !== id),
        );
        const filter = { id, ...content };
        if (!request.isDryRun) await filters.replace(filter);
        return show(filter, request.base);
      },
    ),
    route('DELETE', `${PATH}/:id`, { summary: 'Delete a notification filter', response: MESSAGE }, async (request) => {
      const { id } = await find(request);
      if (!request.isDryRun) await filters.remove(id);
      return jsonAnswer({ message: 'Notification filter is successfully deleted!' });
    }),
  ];

  function route(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
    return {
      method,
      path,
      version: 2,
      permission: 'user',
      description: {
        chapter: 'notification-filters',
        ...description,
        failures: { 400: 'No mail server is configured, or the id is not a number.' },
      },
      before: () => {
        if (!isMailConfigured()) throw new Refusal('malformed', NO_SMTP);
        return [];
      },
      handle,
    };
  }
}

function readContent(body: JsonObject): FilterContent {
  const problems: Problem[] = [];
  const place: Place = { holder: body, path: [], reading: plainReading(problems) };
  const [event, pipeline, stage] = ['event', 'pipeline', 'stage'].map((name) => readText(place, name) ?? missing(place, name) ?? '') as [
    string,
    string,
    string,
  ];
  const matchCommits = readFlag(place, 'match_commits') ?? false;
  const [unreadable] = problems;
  if (unreadable)
    throw new Refusal('invalid', unreadable.message, { data: annotate({ pipeline, stage, event, match_commits: matchCommits }, problems) });
  const known = EVENTS.find((one) => one.toLowerCase() === event.trim().toLowerCase());
  if (!known) {
    throw new Refusal(
      'invalid',
      `Your request could not be processed. Invalid event '${event.slice(0, 100)}'. It has to be one of [${EVENTS.join(', ')}].`,
    );
  }
  return { pipeline, stage, event: known, matchCommits };
}

function contentProblems({ pipeline, stage }: FilterContent, stagesOf: FilterParts['stagesOf']): Problem[] {
  const problems: Problem[] = [];
  if (pipeline.trim() === '' || pipeline.length > LONGEST_NAME)
    problems.push({ at: ['pipeline_name'], message: `Name a pipeline in at most ${LONGEST_NAME} characters.` });
  if (stage.trim() === '' || stage.length > LONGEST_NAME)
    problems.push({ at: ['stage_name'], message: `Name a stage in at most ${LONGEST_NAME} characters.` });
  if (problems.length > 0 || !stagesOf || same(pipeline, ANY_PIPELINE)) return problems;
  const stages = stagesOf(pipeline);
  if (!stages) return [{ at: ['pipeline_name'], message: `Pipeline with name '${pipeline}' was not found!` }];
  if (same(stage, ANY_STAGE) || stages.some((one) => same(one, stage))) return [];
  return [{ at: ['stage_name'], message: `Stage '${stage}' not found in pipeline '${pipeline}'!` }];
}

function duplicateProblems(content: FilterContent, others: readonly Filter[]): Problem[] {
  const known = coveringFilter(others, content);
  if (!known) return [];
  const message = `Duplicate notification filter found for: {pipeline: "${known.pipeline}", stage: "${known.stage}", event: "${known.event}"}`;
  return [{ at: ['pipeline_name'], message }];
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function show(filter: Filter, base: string): Answer {
  return jsonAnswer(filterJson(filter, base), { etag: sha256(JSON.stringify(filter)) });
}

function filterJson(filter: Filter, base: string): JsonOut {
  const addresses = { self: `${PATH}/${filter.id}`, doc: docLink('notification-filters'), find: `${PATH}/:id` };
  return { _links: links(base, addresses), id: filter.id, ...contentJson(filter) };
}

function contentJson({ pipeline, stage, event, matchCommits }: FilterContent): JsonOut {
  return { pipeline, stage, event, match_commits: matchCommits };
}

const TEXT = { type: 'string' };
const CONTENT_SCHEMA = {
  type: 'object',
  required: ['pipeline', 'stage', 'event'],
  properties: {
    pipeline: { ...TEXT, description: `Name of a pipeline, or ${ANY_PIPELINE}.` },
    stage: { ...TEXT, description: `Name of a stage, or ${ANY_STAGE}.` },
    event: { enum: EVENTS },
    match_commits: { type: 'boolean', default: false, description: 'Only when the run has a commit of yours.' },
  },
};
const FILTER_SCHEMA = { ...CONTENT_SCHEMA, properties: { id: { type: 'integer' }, ...CONTENT_SCHEMA.properties } };
const LIST_SCHEMA = {
  type: 'object',
  properties: { _embedded: { type: 'object', properties: { filters: { type: 'array', items: FILTER_SCHEMA } } } },
};
const BODY = { schema: CONTENT_SCHEMA, example: { pipeline: ANY_PIPELINE, stage: ANY_STAGE, event: 'Breaks', match_commits: true } };
