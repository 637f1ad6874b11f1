// Plans: the changes that lead to a desired state are shown, kept for a while, and applied unchanged, unless an entity that they touch has changed since.
import { randomUUID } from 'node:crypto';
import type { Finding } from '../../../config/check-all.ts';
import type { Draft } from '../../../config/draft.ts';
import type { Edit } from '../../../config/edit.ts';
import { InvalidChange } from '../../../config/large-change.ts';
import { changesBy, realEdits } from '../../../history/edits.ts';
import { applyPlan, type ChangedEntity, StalePlan } from '../../../history/plan/apply-plan.ts';
import { type StoredPlan, storedPlan } from '../../../history/plan/stored-plan.ts';
import type { Pause } from '../../../kit/concurrency/time-slices.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { type Kind, keyOf } from '../../../shape/resource.ts';
import type { PlanTable } from '../../../store/revisions/plans.ts';
import { affectedBy } from '../../engine/dry-run-reply.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { changedJson } from '../common/changed-json.ts';
import { MAX_FILE_BYTES } from '../config-xml/posted-file.ts';
import { type ConfigurationMistakes, type DesiredChange, mistakesIn, wantedIn } from './desired-state.ts';
import { APPLY, MAKE, unknownPlan } from './docs.ts';

export interface PlanRouteParts extends ResourceParts {
  readonly plans: PlanTable;
}

const PATH = '/api/admin/config/plan';
const KEPT_MS = 24 * 60 * 60_000;
const MAX_CHARACTERS = 20_000_000;
const MAX_ERRORS = 1000;
const NOTHING_FOUND: ConfigurationMistakes = { findings: [], conditions: [] };

export function configPlanRoutes(parts: PlanRouteParts): Route[] {
  const common = { method: 'POST', version: 1, permission: 'admin' } as const;
  return [
    { ...common, path: PATH, rawBody: { maxBytes: MAX_FILE_BYTES }, description: MAKE, handle: (request) => make(parts, request) },
    {
      ...common,
      path: `${PATH}/:id/apply`,
      description: APPLY,
      handle: (request) => parts.plans.serialized(request.params.id ?? '', () => apply(parts, request)),
    },
  ];
}

interface DryRunResult {
  readonly draft: Draft;
  /** The changes of the desired state itself, without the changes that follow from them. */
  readonly decided: readonly Edit[];
  readonly failure: InvalidChange | undefined;
  /** Findings of plugins about their settings that do not refuse the plan. */
  readonly pluginFindings: readonly Finding[];
}

async function make(parts: PlanRouteParts, request: ApiRequest): Promise<Answer> {
  const wanted = await wantedIn(request, parts);
  const { draft, decided, failure, pluginFindings } = await dryRun(parts, request, wanted);
  // First: other entities may change during a pause.
  const stored = { ...storedPlan(decided, draft, wanted.complete), ...(wanted.warnings && { isOfFile: true }) };
  const changes = changedJson(await changesBy(draft.edits, draft));
  const errors = await wanted.mistakes(failure ?? NOTHING_FOUND);
  // A plan with errors cannot be applied, so it is not kept.
  const isKept = errors.length === 0 && changes.length > 0 && !request.isDryRun;
  const kept = isKept ? await keep(parts, request, stored) : undefined;
  const body: JsonOut = {
    id: kept?.id ?? null,
    expires_at: kept?.expires_at ?? null,
    based_on: draft.revision - 1,
    changes,
    errors: errors.slice(0, MAX_ERRORS).map((error) => ({ ...error })),
    affected: affectedBy(draft),
    ignored: wanted.ignored(),
    warnings: (await wanted.warnings?.(pluginFindings)) ?? [],
  };
  return jsonAnswer(body);
}

async function dryRun({ changes }: PlanRouteParts, { author }: ApiRequest, wanted: DesiredChange): Promise<DryRunResult> {
  const tried: { draft?: Draft; decided: readonly Edit[] } = { decided: [] };
  const decide = async (draft: Draft, pause: Pause) => {
    tried.draft = draft;
    await wanted.decide(draft, pause);
    tried.decided = draft.edits;
  };
  let failure: InvalidChange | undefined;
  const pluginFindings: Finding[] = [];
  const onPluginProblems = (found: readonly Finding[]) => void pluginFindings.push(...found);
  try {
    await changes.applyLarge(author, decide, { dryRun: true, ...(wanted.warnings && { onPluginProblems }) });
  } catch (caught) {
    if (!(caught instanceof InvalidChange)) throw caught;
    failure = caught;
  }
  return { draft: tried.draft!, decided: tried.decided, failure, pluginFindings };
}

async function keep({ plans }: PlanRouteParts, { identity }: ApiRequest, plan: StoredPlan): Promise<{ id: string; expires_at: string }> {
  const content = JSON.stringify(plan);
  if (content.length > MAX_CHARACTERS)
    throw new Refusal('tooLarge', 'The plan is too large to be kept: plan less at once, or import the file.');
  const now = Date.now();
  const row = { id: randomUUID(), made_at: new Date(now).toISOString(), expires_at: new Date(now + KEPT_MS).toISOString() };
  await plans.put({ ...row, actor: identity.loginName, content });
  return row;
}

async function apply(parts: PlanRouteParts, request: ApiRequest): Promise<Answer> {
  const { id = '' } = request.params;
  const kept = await parts.plans.find(id, new Date().toISOString());
  if (!kept) throw new Refusal('notFound', unknownPlan(id));
  const plan = JSON.parse(kept.content) as StoredPlan;
  const decide = async (draft: Draft, pause: Pause) => {
    await applyPlan(draft, plan, pause);
    return draft;
  };
  try {
    const draft = await parts.changes.applyLarge(request.author, decide, {
      dryRun: request.isDryRun,
      ...(plan.isOfFile && { onPluginProblems: ignoreFindings }),
    });
    if (request.isDryRun) request.noteDryRun(draft);
    else await parts.plans.remove(id);
    const edits = realEdits(draft.edits);
    return jsonAnswer({ id, changes: changedJson(await changesBy(edits, draft)) }, edits.length > 0 ? { revision: draft.revision } : {});
  } catch (failure) {
    if (failure instanceof StalePlan) throw await stalePlanRefusal(failure, parts);
    if (!(failure instanceof InvalidChange)) throw failure;
    throw new Refusal('invalid', 'The plan no longer fits the configuration. Make a new one.', { data: { errors: mistakesIn(failure) } });
  }
}

/** Findings of plugins about a file were reported with its plan. */
function ignoreFindings(): void {}

async function stalePlanRefusal({ message, moved, lists }: StalePlan, parts: PlanRouteParts): Promise<Refusal> {
  const entities = await Promise.all(moved.slice(0, MAX_ERRORS).map((one) => changedEntityJson(one, parts)));
  return new Refusal('conflict', message, { data: { moved: entities, lists } });
}

async function changedEntityJson(
  { kind: name, resource, id, what }: ChangedEntity,
  { config, changeLog }: PlanRouteParts,
): Promise<JsonObject> {
  const kind: Kind = config.kinds.get(name)!;
  const [last] = await changeLog.changesOf(name, keyOf(kind, id), Number.MAX_SAFE_INTEGER, 1);
  return { resource, id, what, ...(last && { revision: last.revision, actor: last.actor, time: last.time }) };
}
