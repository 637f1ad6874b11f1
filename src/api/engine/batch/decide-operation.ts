// Decides one operation of a batch on the draft of the whole, as the single call would.
import type { Identity } from '../../../access/identity.ts';
import type { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { writeEntity } from '../../../shape/json/entity-json.ts';
import { mergePatched } from '../../../shape/json/merge-patch.ts';
import { addressOf, type Collection, type Kind, keyOf, type Singleton } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { putNew } from '../verbs/create.ts';
import { mustExist } from '../verbs/must-exist.ts';
import { putPatched } from '../verbs/patch.ts';
import { mustMatch } from '../verbs/precondition.ts';
import { isReadable, readBodyAs } from '../verbs/read-body.ts';
import { putIfDifferent, unsetEntry } from '../verbs/replace.ts';
import { checkMember, putMember, withId } from '../verbs/update.ts';
import type { BatchOperation } from './operation.ts';
import { isRemote, mustKeepRemote } from './remote-item.ts';

export interface DecidedOperation {
  readonly id: string;
  /** Undefined: it is gone. */
  readonly entry: Entry | undefined;
  /** The message of the answer after a removal. */
  readonly deletedMessage?: string;
}

/** An operation as far as it could be read, and the decision on it. */
export interface Item {
  readonly operation?: BatchOperation;
  readonly decided?: DecidedOperation;
  refusal?: Refusal;
}

/** Whether an operation has put this entity into the draft, or taken it away. */
export function isAbout({ operation, decided }: Item, kind: Kind, id: string): boolean {
  return decided !== undefined && operation?.kind === kind && keyOf(kind, decided.id) === keyOf(kind, id);
}

export async function decideOperation(
  draft: Draft,
  operation: BatchOperation,
  parts: ResourceParts,
  identity: Identity,
): Promise<DecidedOperation> {
  if (mayTouchRemote(draft, operation, parts)) await mustKeepRemote(draft, (trial) => takeStep(trial, operation, parts, identity));
  return takeStep(draft, operation, parts, identity);
}

/** Whether the operation can change entities of config repos: a new name of an entity changes others, too. */
function mayTouchRemote(draft: Draft, { kind, method, address }: BatchOperation, { config }: ResourceParts): boolean {
  if (kind.shape === 'singleton' || method === 'POST') return false;
  return isRemote(draft.find(kind, config.of(kind.name).idAt(address))) || (kind.mayBeRenamed === true && method !== 'DELETE');
}

async function takeStep(draft: Draft, operation: BatchOperation, parts: ResourceParts, identity: Identity): Promise<DecidedOperation> {
  const { kind } = operation;
  if (operation.method === 'DELETE') return remove(draft, operation, idOf(draft, operation, parts));
  if (operation.method === 'PATCH' && kind.patch) return patch(draft, operation, idOf(draft, operation, parts), parts);
  if (kind.shape === 'singleton') return replace(draft, kind, operation, parts);
  if (operation.method === 'POST') return create(draft, kind, operation, parts);
  return update(draft, kind, operation, parts, identity);
}

/** By the operations that the resource declares, as a PATCH with plain JSON. */
function patch(draft: Draft, { kind, body, ifMatch }: BatchOperation, id: string, { tools }: ResourceParts): DecidedOperation {
  const current = mustExist(kind, id, draft.find(kind, id));
  mustMatch(kind, id, current, draft, ifMatch, false);
  return { id, entry: putPatched(draft, kind, id, current, body, tools) };
}

async function create(
  draft: Draft,
  kind: Kind & Collection,
  { route, body }: BatchOperation,
  parts: ResourceParts,
): Promise<DecidedOperation> {
  const own = route.creation?.(body).body ?? body;
  const entry = putNew(draft, kind, await readBodyAs(kind, own, parts, undefined, draft));
  return { id: String(entry.value[kind.id]), entry };
}

async function update(
  draft: Draft,
  kind: Kind & Collection,
  operation: BatchOperation,
  parts: ResourceParts,
  identity: Identity,
): Promise<DecidedOperation> {
  const { address } = operation;
  const id = idOf(draft, operation, parts);
  const member = { kind, id, address };
  const current = mustExist(kind, id, draft.find(kind, id));
  const read = await readBodyAs(kind, withId(kind, bodyOf(operation, current, draft), id), parts, current.value, draft);
  checkMember(member, read, parts, { identity });
  if (isReadable(read)) mustMatch(kind, id, current, draft, operation.ifMatch, kind.needsIfMatch);
  const entry = putMember(draft, member, read);
  return { id: isReadable(read) ? String(entry.value[kind.id]) : id, entry };
}

async function replace(draft: Draft, kind: Kind & Singleton, operation: BatchOperation, parts: ResourceParts): Promise<DecidedOperation> {
  const known = draft.find(kind, '');
  const current = known ?? unsetEntry(kind);
  const read = await readBodyAs(kind, bodyOf(operation, known ?? (kind.unset && current), draft), parts, known?.value, draft);
  if (isReadable(read)) mustMatch(kind, '', current, draft, operation.ifMatch, kind.needsIfMatch);
  const isPatch = operation.method === 'PATCH';
  return { id: '', entry: isPatch ? putIfDifferent(draft, kind, read) : draft.put(kind, '', read.entity, read.problems) };
}

function remove(draft: Draft, { kind, ifMatch }: BatchOperation, id: string): DecidedOperation {
  const current = mustExist(kind, id, draft.find(kind, id));
  mustMatch(kind, id, current, draft, ifMatch, false);
  draft.remove(kind, id);
  return { id, entry: undefined, deletedMessage: kind.messages.deleted(addressOf(kind, current.value)) };
}

function bodyOf({ method, kind, body }: BatchOperation, current: Entry | undefined, { secrets }: Draft) {
  return method === 'PATCH' ? mergePatched(current ? writeEntity(kind, current.value, secrets) : {}, body) : body;
}

/** An entity created earlier in the same batch is found by its id only. */
function idOf(draft: Draft, { kind, address }: BatchOperation, { config }: ResourceParts): string {
  const id = config.of(kind.name).idAt(address);
  if (kind.shape === 'singleton' || draft.find(kind, id)) return id;
  if (!draft.find(kind, address)) throw new Refusal('notFound', kind.messages.notFound(address));
  return address;
}
