// The desired state in the body of a plan: resources as JSON, or a configuration file as XML.
import type { Finding } from '../../../config/check-all.ts';
import type { Draft } from '../../../config/draft.ts';
import type { InvalidChange } from '../../../config/large-change.ts';
import { decide } from '../../../document/save/decide.ts';
import { KINDS_IN_ORDER } from '../../../document/save/kinds.ts';
import type { Plan } from '../../../document/save/plan.ts';
import { readInWorker } from '../../../document/save/read-in-worker.ts';
import { asProblemsOf, warningsOf } from '../../../document/save/refused.ts';
import type { Pause } from '../../../kit/concurrency/time-slices.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { type Kind, resourceName } from '../../../shape/resource.ts';
import { decideDesired } from '../../engine/batch/decide-desired.ts';
import { ignoredMembers } from '../../engine/batch/ignored-members.ts';
import { type DesiredStateError, errorAt, PRUNE, readDesired } from '../../engine/batch/read-desired.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import type { ApiRequest } from '../../engine/route.ts';
import { readRawJson } from '../../http/body/body.ts';
import { flagIn } from '../../http/flag-in.ts';
import { bytesOf, isXml } from '../config-xml/posted-file.ts';

/** The mistakes in the configuration that would come out. */
export type ConfigurationMistakes = Pick<InvalidChange, 'findings' | 'conditions'>;

export interface DesiredChange {
  /** Brings it about on a draft. */
  decide(draft: Draft, pause: Pause): Promise<void>;
  /** The kinds of which all that is absent is removed. */
  readonly complete: readonly Kind[];
  /** All mistakes, once it is decided: those of its form, and the findings of the checks of any change. */
  mistakes(found: ConfigurationMistakes): Promise<readonly DesiredStateError[]>;
  /** The parts of it that are not taken over, once it is decided. */
  ignored(): JsonOut[];
  /** Files: findings of plugins about their settings do not refuse the plan, but are reported. */
  warnings?(pluginFindings: readonly Finding[]): Promise<JsonOut[]>;
}

export function wantedIn(request: ApiRequest, parts: ResourceParts): Promise<DesiredChange> {
  return isXml(request) ? wantedFile(request, parts) : wantedState(request, parts);
}

/** A client that asks for it in the wrong place must not take a plan that deletes nothing for one that has nothing to delete. */
const PRUNE_IN_BODY = `The query parameter \`${PRUNE}\` is for files. In JSON it is a member of the body.`;

async function wantedState(request: ApiRequest, parts: ResourceParts): Promise<DesiredChange> {
  if (request.query.has(PRUNE)) throw new Refusal('malformed', PRUNE_IN_BODY);
  const desired = readDesired(await readRawJson(request), parts.config.kinds);
  const mistakes = [...desired.mistakes];
  return {
    decide: async (draft, pause) => {
      mistakes.push(...(await decideDesired(draft, desired, parts, pause)));
    },
    complete: desired.complete,
    mistakes: async (found) => [...mistakesIn(found), ...mistakes],
    ignored: () => ignoredMembers(desired.wanted),
  };
}

async function wantedFile(request: ApiRequest, parts: ResourceParts): Promise<DesiredChange> {
  const isComplete = flagIn(request.query, PRUNE);
  const { kinds } = parts.config;
  const file = await readInWorker(await bytesOf(request), kinds.values());
  const [first] = file.problems;
  if (first && file.version === 0) throw new Refusal('malformed', `Payload data is not valid XML: line ${first.line}: ${first.message}`);
  let plan: Plan | undefined;
  return {
    decide: async (draft, pause) => {
      plan = await decide(draft, { file, mode: isComplete ? 'whole' : 'import' }, parts, pause);
    },
    complete: isComplete ? KINDS_IN_ORDER.flatMap((name) => kinds.get(name) ?? []).filter(({ shape }) => shape === 'collection') : [],
    mistakes: async (found) => (await asProblemsOf(file, found, kinds)).map(({ line, message }) => errorAt(`line ${line}`, message)),
    ignored: () => (plan?.ignored ?? []).map(({ what, why }) => ({ what, why })),
    warnings: async (pluginFindings) =>
      (await warningsOf(file, pluginFindings, kinds)).map(({ line, message }) => ({ path: `line ${line}`, message })),
  };
}

export function mistakesIn({ findings, conditions }: ConfigurationMistakes): DesiredStateError[] {
  return [
    ...findings.flatMap(({ kind, id, problems }) =>
      problems.map(({ at, message }) => ({ resource: resourceName(kind), id, path: at.map((step) => `/${step}`).join(''), message })),
    ),
    ...conditions.map((message) => errorAt('', message)),
  ];
}
