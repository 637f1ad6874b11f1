// The body of a notification filter, and its problems.
import { Refusal } from '../../../kit/refusal.ts';
import { ANY_PIPELINE, ANY_STAGE, coveringFilter, EVENTS, type Filter, type FilterContent } from '../../../notifications/filters.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { type JsonCursor, readFlag, readNeeded, readText } from '../../../shape/json/reading.ts';
import { annotate, type Problem, problemUnless } from '../../../shape/problems/problem.ts';
import { plainReading } from '../../engine/plain-reading.ts';
import { contentJson, type SentContent } from './json.ts';

const MAX_NAME_LENGTH = 255;

/** The stages of a pipeline by name, undefined for one that does not exist. */
export type StagesOf = (pipeline: string) => readonly string[] | undefined;

export function readContent(body: JsonObject, stagesOf: StagesOf | undefined): FilterContent {
  const problems: Problem[] = [];
  const cursor: JsonCursor = { holder: body, path: [], reading: plainReading(problems) };
  const event = readNeeded(cursor, 'event', readText);
  const pipeline = canonical(readNeeded(cursor, 'pipeline', readText), ANY_PIPELINE);
  const stage = canonical(readNeeded(cursor, 'stage', readText), ANY_STAGE);
  const matchCommits = readFlag(cursor, 'match_commits') ?? false;
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

/** GoCD answers with the filter itself, not with `data`. */
export function refuse(content: SentContent, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const unreadable = problems.find((problem) => problem.unreadable);
  const message = unreadable?.message ?? problems.map((problem) => problem.message).join(' ');
  throw new Refusal('invalid', message, { more: annotate(contentJson(content), problems) });
}

/** The problems of the names as far as they are there. */
function nameProblems(pipeline: string | undefined, stage: string | undefined, stagesOf: StagesOf | undefined): Problem[] {
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
  const isFit = name === undefined || (name.trim() !== '' && name.length <= MAX_NAME_LENGTH);
  return problemUnless(isFit, `${word}_name`, `The ${word} must have 1 to ${MAX_NAME_LENGTH} characters.`);
}

export function duplicateProblems(content: FilterContent, others: readonly Filter[]): Problem[] {
  const known = coveringFilter(others, content);
  if (!known) return [];
  const message = `Duplicate notification filter found for: {pipeline: "${known.pipeline}", stage: "${known.stage}", event: "${known.event}"}`;
  return [{ at: ['pipeline_name'], message }];
}

/** The wildcard names are stored in one spelling, because mails are matched by it. */
function canonical(given: string | undefined, word: string): string | undefined {
  return given !== undefined && same(given, word) ? word : given;
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
