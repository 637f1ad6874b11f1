// Reads the views of a user from a body, and refuses invalid ones.
import { type DashboardView, DEFAULT_VIEW, VIEW_STATES, VIEW_TYPES } from '../../../builds/dashboard/views.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isObject, type Json, type JsonObject } from '../../../shape/json/json.ts';

export const MAX_NAME_LENGTH = 255;
export const MAX_VIEWS = 100;
/** Of all views of a user together. */
const MAX_PIPELINES = 50_000;
/** Of the names of pipelines in all views of a user together: each user writes them, and they are read with each dashboard. */
const MAX_CHARACTERS = 1_000_000;

export function readViews(body: JsonObject): readonly DashboardView[] {
  const { filters } = body;
  if (!Array.isArray(filters)) throw invalid('The body must have a list `filters`.');
  if (filters.length > MAX_VIEWS) throw invalid(`There can be at most ${MAX_VIEWS} views.`);
  const views = filters.map(readView);
  const names = views.map(({ name }) => name.toLowerCase());
  const twice = views.find(({ name }, index) => names.indexOf(name.toLowerCase()) < index);
  if (twice) throw invalid(`Two views are called '${twice.name}'.`);
  const pipelines = views.flatMap((view) => view.pipelines);
  if (pipelines.length > MAX_PIPELINES) throw invalid(`All views together can name at most ${MAX_PIPELINES} pipelines.`);
  if (pipelines.reduce((sum, name) => sum + name.length, 0) > MAX_CHARACTERS)
    throw invalid(`The lists \`pipelines\` of all views together can have names of at most ${MAX_CHARACTERS} characters.`);
  return views;
}

function readView(entry: Json, index: number): DashboardView {
  const number = index + 1;
  if (!isObject(entry)) throw invalid(`View ${number} must be a JSON object.`);
  const { name, type = DEFAULT_VIEW.type, pipelines = [], state = [] } = entry;
  if (typeof name !== 'string' || name.trim() === '') throw invalid(`View ${number} has no name.`);
  if (name.length > MAX_NAME_LENGTH) throw invalid(`The name of view ${number} has more than ${MAX_NAME_LENGTH} characters.`);
  const ofType = VIEW_TYPES.find((one) => one === type);
  if (!ofType) throw invalid(`The type of view '${name}' must be one of ${VIEW_TYPES.join(', ')}.`);
  if (!Array.isArray(pipelines) || !pipelines.every(isName))
    throw invalid(`The pipelines of view '${name}' must be a list of names, with at most ${MAX_NAME_LENGTH} characters each.`);
  if (!Array.isArray(state) || !state.every(isState)) throw invalid(`The states of view '${name}' can be ${VIEW_STATES.join(' and ')}.`);
  return { name: name.trim(), type: ofType, pipelines: [...new Set(pipelines)], state: VIEW_STATES.filter((one) => state.includes(one)) };
}

function isName(value: Json): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME_LENGTH;
}

function isState(value: Json): value is (typeof VIEW_STATES)[number] {
  return VIEW_STATES.some((state) => state === value);
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', message);
}
