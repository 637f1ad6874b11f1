// The texts of a pipeline or template in which parameters count, each with the place it has in the JSON.
import { snakeCase } from '../../shape/json/json.ts';
import type { Path } from '../../shape/problems/problem.ts';
import { isSecret } from '../../shape/secrets/secret.ts';

export interface TextUsingParameters {
  readonly text: string;
  readonly at: Path;
  /** Which one it is of a list of texts. */
  readonly item?: number;
}

/** Members whose texts are taken as they are. */
const LITERAL = new Set(['type', 'runIf']);
const LITERAL_AT_TOP = new Set(['name', 'group', 'template', 'parameters']);
const LITERAL_IN_STAGE = new Set(['name', 'approval']);

/** Where the stages of a template begin. */
const STAGES: Path = ['stages'];

const known = new WeakMap<object, boolean>();

/** Whether a `#` stands anywhere in it. Entities never change, so each is looked through once; as one text, because that is quickest. */
function usesParameters(whole: object): boolean {
  let uses = known.get(whole);
  if (uses === undefined) known.set(whole, (uses = JSON.stringify(whole).includes('#')));
  return uses;
}

export function textsUsingParameters(pipeline: object): TextUsingParameters[] {
  return textsBelow(pipeline, []);
}

export function textsInStages(stages: readonly object[]): TextUsingParameters[] {
  return textsBelow(stages, STAGES);
}

function textsBelow(whole: object, base: Path): TextUsingParameters[] {
  const found: TextUsingParameters[] = [];
  if (!usesParameters(whole)) return found;
  mapTexts(whole, base, (text, path) => {
    const last = path.at(-1);
    found.push({ text, at: problemPath(path), ...(typeof last === 'number' && { item: last }) });
    return text;
  });
  return found;
}

/** The pipeline with every text that has a `#` replaced; parts without one are not copied. */
export function mapPipelineTexts<T extends object>(pipeline: T, replace: (text: string) => string): T {
  return usesParameters(pipeline) ? mapTexts(pipeline, [], replace) : pipeline;
}

export function mapStageTexts<T extends object>(stages: readonly T[], replace: (text: string) => string): readonly T[] {
  return usesParameters(stages) ? mapTexts(stages, STAGES, replace) : stages;
}

/** `replace` also gets the way through the entity to the text, good until it returns. */
function mapTexts<T>(whole: T, base: Path, replace: (text: string, path: Path) => string): T {
  const path = [...base];
  const map = (value: unknown): unknown => {
    if (typeof value === 'string') return value.includes('#') ? replace(value, path) : value;
    if (typeof value !== 'object' || value === null || isSecret(value)) return value;
    return Array.isArray(value) ? mapList(value) : mapMembers(value as Readonly<Record<string, unknown>>);
  };
  const mapList = (list: readonly unknown[]) => {
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      path.push(index);
      const after = map(list[index]);
      path.pop();
      if (after !== list[index]) (copy ??= [...list])[index] = after;
    }
    return copy ?? list;
  };
  const mapMembers = (holder: Readonly<Record<string, unknown>>) => {
    const literal = path.length === 0 ? LITERAL_AT_TOP : path.at(-2) === 'stages' ? LITERAL_IN_STAGE : LITERAL;
    let copy: Record<string, unknown> | undefined;
    for (const key in holder) {
      if (literal.has(key)) continue;
      path.push(key);
      const after = map(holder[key]);
      path.pop();
      if (after !== holder[key]) (copy ??= { ...holder })[key] = after;
    }
    return copy ?? holder;
  };
  return map(whole) as T;
}

/** From the way through the entity to the place in the JSON. */
function problemPath(path: Path): Path {
  const at: (string | number)[] = [];
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1;
    // Lists of texts have their problems beside the list; a masked URL is one text.
    if (isLast && (typeof step === 'number' || step === 'masked')) break;
    // Artifacts have their attributes beside the type.
    if (step === 'attributes' && path[index - 2] === 'artifacts') continue;
    if (step === 'args' && !isLast) at.push('arguments');
    else if (step === 'trackingTool') at.push('tracking_tool', 'attributes');
    else at.push(typeof step === 'string' ? jsonName(step) : step);
  }
  return at;
}

const jsonNames = new Map<string, string>();

function jsonName(member: string): string {
  return jsonNames.getOrInsertComputed(member, snakeCase);
}
