// What the body of a plan wants: resources as JSON, or a configuration file as XML.
import type { Draft } from '../../config/draft.ts';
import { decide } from '../../document/save/decide.ts';
import { KINDS_IN_ORDER } from '../../document/save/kinds.ts';
import type { Plan } from '../../document/save/plan.ts';
import { readBeside } from '../../document/save/read-beside.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Pause } from '../../kit/slices.ts';
import type { JsonObject, JsonOut } from '../../shape/json.ts';
import type { Kind } from '../../shape/resource.ts';
import { decideDesired } from '../batch/decide-desired.ts';
import { type Mistake, mistakeAt, readDesired } from '../batch/read-desired.ts';
import type { ResourceParts } from '../resource-parts.ts';

export interface Wanted {
  /** Brings it about on a draft. */
  decide(draft: Draft, pause: Pause): Promise<void>;
  /** The kinds of which all that is absent is removed. */
  readonly complete: readonly Kind[];
  /** What is wrong with its form, once it is decided. */
  mistakes(): readonly Mistake[];
  /** What of it is not taken over, once it is decided. */
  ignored(): JsonOut[];
}

const EITHER = 'Give `resources`, or a configuration file as `xml`, and not both.';
const MODES = ['import', 'whole'];

export async function wantedIn(body: JsonObject, parts: ResourceParts): Promise<Wanted> {
  const { resources, delete_absent: deleteAbsent, xml, mode = 'import' } = body;
  if ((resources === undefined) === (xml === undefined)) throw wrongPlan([mistakeAt('/resources', EITHER)]);
  if (xml !== undefined) return wantedFile(xml, mode, parts);
  const desired = readDesired(resources, deleteAbsent, parts.config.kinds);
  const mistakes = [...desired.mistakes];
  return {
    decide: async (draft, pause) => {
      mistakes.push(...(await decideDesired(draft, desired, parts, pause)));
    },
    complete: desired.complete,
    mistakes: () => mistakes,
    ignored: () => [],
  };
}

async function wantedFile(xml: unknown, mode: unknown, parts: ResourceParts): Promise<Wanted> {
  const wrongMode = MODES.includes(mode as string) ? [] : [mistakeAt('/mode', `\`mode\` must be one of ${MODES.join(', ')}.`)];
  if (typeof xml !== 'string') throw wrongPlan([mistakeAt('/xml', '`xml` must be a text.'), ...wrongMode]);
  const { kinds } = parts.config;
  const file = await readBeside(Buffer.from(xml, 'utf8'), kinds.values());
  const isWhole = mode === 'whole';
  let plan: Plan | undefined;
  return {
    decide: async (draft, pause) => {
      plan = await decide(draft, { file, mode: isWhole ? 'whole' : 'import' }, parts, pause);
    },
    complete: isWhole ? KINDS_IN_ORDER.flatMap((name) => kinds.get(name) ?? []).filter(({ shape }) => shape === 'collection') : [],
    mistakes: () => [...wrongMode, ...file.problems.map(({ line, message }) => mistakeAt(`line ${line}`, message))],
    ignored: () => (plan?.ignored ?? []).map(({ what, why }) => ({ what, why })),
  };
}

/** `changes`: what could be made out of the rest. */
export function wrongPlan(errors: readonly Mistake[], changes: readonly JsonOut[] = []): Refusal {
  const [first] = errors;
  const message = errors.length === 1 ? first!.message : `${errors.length} things are wrong with what is wanted.`;
  return new Refusal('invalid', message, { data: { errors, changes } });
}
