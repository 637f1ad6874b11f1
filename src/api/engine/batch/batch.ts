// Many operations as one change: all of them or none, with a result for each.
import type { Identity } from '../../../access/identity.ts';
import { invalid, problemElsewhere } from '../../../config/check.ts';
import type { Finding } from '../../../config/check-all.ts';
import type { Draft } from '../../../config/draft.ts';
import { InvalidChange } from '../../../config/large-change.ts';
import { presentEntity, presentedEtag } from '../../../config/presentation.ts';
import { nameOf } from '../../../config/references.ts';
import type { Author } from '../../../config/revision.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Json, JsonOut } from '../../../shape/json/json.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { type Kind, keyOf } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Route } from '../route.ts';
import { StaleWrite } from '../verbs/precondition.ts';
import { decideOperation, type Item, isAbout } from './decide-operation.ts';
import { type BatchOperation, readOperation } from './operation.ts';
import { staleOperation } from './stale-operation.ts';

/** The answer of the corresponding single request. */
export interface ItemAnswer {
  readonly etag: string | undefined;
  readonly body: JsonOut;
}

/** All of it was done, or nothing. */
export type BatchOutcome = { readonly done: Draft; readonly answers: readonly ItemAnswer[] } | RefusedBatch;

export interface RefusedBatch {
  /** Why each operation is refused; undefined: it could have been done. */
  readonly refusals: readonly (Refusal | undefined)[];
  /** The problems of the batch as a whole, and of entities that no operation names. */
  readonly others: readonly { readonly kind?: Kind; readonly id?: string; readonly message: string }[];
}

export interface BatchRequest {
  readonly operations: readonly Json[];
  readonly identity: Identity;
  readonly author: Author;
  readonly dryRun: boolean;
  /** Where links start. */
  readonly base: string;
}

export async function runBatch(request: BatchRequest, parts: ResourceParts, routes: readonly Route[]): Promise<BatchOutcome> {
  const items: Item[] = [];
  let draft: Draft | undefined;
  let others: RefusedBatch['others'] = [];
  try {
    await parts.changes.applyLarge(
      request.author,
      async (whole, pause) => {
        draft = whole;
        for (const sent of request.operations) {
          items.push(await decide(sent, whole, request, parts, routes));
          await pause();
        }
      },
      // Acceptable operations are checked all the same, to report all problems at once.
      { dryRun: () => request.dryRun || items.some(({ refusal }) => refusal) },
    );
  } catch (failure) {
    if (!(failure instanceof InvalidChange)) throw failure;
    others = [...assignFindings(failure.findings, items, draft!), ...failure.conditions.map((message) => ({ message }))];
  }
  if (others.length === 0 && items.every(({ refusal }) => !refusal)) {
    return { done: draft!, answers: items.map((item) => answerTo(item, draft!, request.base)) };
  }
  for (const [index, item] of items.entries()) {
    if (item.refusal instanceof StaleWrite) item.refusal = await staleOperation(index, items, draft!, request.author, parts);
  }
  return { refusals: items.map(({ refusal }) => refusal), others };
}

async function decide(
  sent: Json,
  draft: Draft,
  { identity, base }: BatchRequest,
  parts: ResourceParts,
  routes: readonly Route[],
): Promise<Item> {
  let operation: BatchOperation | undefined;
  try {
    operation = readOperation(sent, parts.config.kinds.values(), routes, contextPathIn(base));
    return { operation, decided: await decideOperation(draft, operation, parts, identity) };
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    return { ...(operation && { operation }), refusal: failure };
  }
}

/** Findings become the refusals of the operations that are to blame for them; the others are returned. */
function assignFindings(findings: readonly Finding[], items: readonly Item[], draft: Draft): RefusedBatch['others'] {
  const edits = new Map(draft.edits.map((edit) => [nameOf(edit.kind, edit.key), edit]));
  const blamed = new Map<Item, Problem[]>();
  const others = findings.flatMap(({ kind, id, problems, because }) => {
    const own = items.findLast((one) => isAbout(one, kind, id) && edits.get(nameOf(kind, keyOf(kind, id)))?.after);
    const item = own ?? (because && items.findLast((one) => isAbout(one, because.kind, because.id)));
    if (!item) return problems.map(({ message }) => ({ kind, id, message }));
    blamed.getOrInsertComputed(item, () => []).push(...(own ? problems : problems.map(problemElsewhere)));
    return [];
  });
  for (const [item, problems] of blamed) {
    const { kind } = item.operation!;
    const edit = edits.get(nameOf(kind, keyOf(kind, item.decided!.id)))!;
    item.refusal = edit.after ? invalid(edit, problems, edit.operation, draft.secrets) : new Refusal('invalid', problems[0]!.message);
  }
  return others;
}

function answerTo({ operation, decided }: Item, draft: Draft, base: string): ItemAnswer {
  const { entry, deletedMessage = '' } = decided!;
  if (!entry) return { etag: undefined, body: { message: deletedMessage } };
  const { kind } = operation!;
  return { etag: presentedEtag(kind, entry, draft.ruleView), body: presentEntity(kind, entry.value, draft.ruleView, draft.secrets, base) };
}

function contextPathIn(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '');
}
