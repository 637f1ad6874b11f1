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
import type { JsonObject } from '../../shape/json.ts';
import { annotate, must, type Problem } from '../../shape/problem.ts';
import { type Place, readFlag, readNeeded, readText } from '../../shape/reading.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../route.ts';
import { contentJson, filterJson, filterListJson, FILTERS_PATH as PATH, type SentContent } from './notification-filter-json.ts';
import { DELETED, DESCRIPTIONS, NO_SMTP, unknownFilter } from './notification-filter-words.ts';
import { plainReading } from './plain-reading.ts';

const LONGEST_NAME = 255;

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
    if (!found) throw new Refusal('notFound', unknownFilter(id));
    return found;
  };

  return [
    route('GET', PATH, DESCRIPTIONS.list, async (request) => {
      const listed = await own(request);
      return jsonAnswer(filterListJson(listed, request.base), { etag: sha256(JSON.stringify(listed)) });
    }),
    route('POST', PATH, DESCRIPTIONS.create, async (request) => {
      const content = readContent(request.body, stagesOf);
      refuse(content, duplicateProblems(content, await own(request)));
      const filter = request.isDryRun ? { id: 0, ...content } : await filters.add(keyOf(request.identity.loginName), content);
      return show(filter, request.base);
    }),
    route('GET', `${PATH}/:id`, DESCRIPTIONS.show, async (request) => show(await find(request), request.base)),
    route('PATCH', `${PATH}/:id`, DESCRIPTIONS.replace, async (request) => {
      const content = readContent(request.body, stagesOf);
      const { id } = await find(request);
      const others = (await own(request)).filter((filter) => filter.id !== id);
      refuse(content, duplicateProblems(content, others));
      const filter = { id, ...content };
      if (!request.isDryRun) await filters.replace(filter);
      return show(filter, request.base);
    }),
    route('DELETE', `${PATH}/:id`, DESCRIPTIONS.remove, async (request) => {
      const { id } = await find(request);
      if (!request.isDryRun) await filters.remove(id);
      return jsonAnswer({ message: DELETED });
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

function readContent(body: JsonObject, stagesOf: FilterParts['stagesOf']): FilterContent {
  const problems: Problem[] = [];
  const place: Place = { holder: body, path: [], reading: plainReading(problems) };
  const event = readNeeded(place, 'event', readText);
  const pipeline = canonical(readNeeded(place, 'pipeline', readText), ANY_PIPELINE);
  const stage = canonical(readNeeded(place, 'stage', readText), ANY_STAGE);
  const matchCommits = readFlag(place, 'match_commits') ?? false;
  const known = EVENTS.find((one) => one.toLowerCase() === event?.trim().toLowerCase());
  if (event !== undefined && !known) {
    const message = `Your request could not be processed. Invalid event '${event.slice(0, 100)}'. It has to be one of [${EVENTS.join(', ')}].`;
    problems.unshift({ at: ['event'], message, unreadable: true });
  }
  problems.push(...nameProblems(pipeline, stage, stagesOf));
  const content = { pipeline: pipeline ?? '', stage: stage ?? '', event: known ?? event ?? '', matchCommits };
  refuse(content, problems);
  return { ...content, event: known! };
}

/** The reference answers with the filter itself, not with `data`. */
function refuse(content: SentContent, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const unreadable = problems.find((problem) => problem.unreadable);
  const message = unreadable?.message ?? problems.map((problem) => problem.message).join(' ');
  throw new Refusal('invalid', message, { more: annotate(contentJson(content), problems) });
}

/** What is wrong with the names as far as they are there. */
function nameProblems(pipeline: string | undefined, stage: string | undefined, stagesOf: FilterParts['stagesOf']): Problem[] {
  const ofPipeline = lengthProblems(pipeline, 'pipeline');
  const ofStage = lengthProblems(stage, 'stage');
  const problems = [...ofPipeline, ...ofStage];
  if (pipeline === undefined || ofPipeline.length > 0 || !stagesOf || pipeline === ANY_PIPELINE) return problems;
  const stages = stagesOf(pipeline);
  if (!stages) return [{ at: ['pipeline_name'], message: `Pipeline with name '${pipeline}' was not found!` }, ...problems];
  if (stage === undefined || ofStage.length > 0 || stage === ANY_STAGE || stages.some((one) => same(one, stage))) return problems;
  return [{ at: ['stage_name'], message: `Stage '${stage}' not found in pipeline '${pipeline}'!` }];
}

function lengthProblems(name: string | undefined, word: 'pipeline' | 'stage'): Problem[] {
  const isFit = name === undefined || (name.trim() !== '' && name.length <= LONGEST_NAME);
  return must(isFit, `${word}_name`, `Name a ${word} in at most ${LONGEST_NAME} characters.`);
}

function duplicateProblems(content: FilterContent, others: readonly Filter[]): Problem[] {
  const known = coveringFilter(others, content);
  if (!known) return [];
  const message = `Duplicate notification filter found for: {pipeline: "${known.pipeline}", stage: "${known.stage}", event: "${known.event}"}`;
  return [{ at: ['pipeline_name'], message }];
}

/** The word for any of them, however it is written, is kept in one spelling: mail is matched by it. */
function canonical(given: string | undefined, word: string): string | undefined {
  return given !== undefined && same(given, word) ? word : given;
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function show(filter: Filter, base: string): Answer {
  return jsonAnswer(filterJson(filter, base), { etag: sha256(JSON.stringify(filter)) });
}
