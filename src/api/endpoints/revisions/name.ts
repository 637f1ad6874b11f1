// Gives a revision a name, or takes it away: a revision with a name is kept, however old it gets.
import { namingOfRevision } from '../../../events/event-facts.ts';
import { notKept } from '../../../history/stored-value.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { type Answer, type ApiRequest, jsonAnswer } from '../../engine/route.ts';
import { checkIfMatchEtag } from '../../engine/verbs/precondition.ts';
import { MAX_NAME_LENGTH } from './docs.ts';
import { revisionJson, revisionLinks } from './json.ts';
import { type HistoryRouteParts, revisionNamed } from './parts.ts';

const NOT_A_NAME = `The name must be a string of 1 to ${MAX_NAME_LENGTH} characters, or null to remove it.`;

/** `etag` is that of the answer that shows the revision. */
export function setRevisionName(parts: HistoryRouteParts, request: ApiRequest, etag: () => Promise<string>): Promise<Answer> {
  return parts.names.serialized(() => setName(parts, request, etag));
}

async function setName({ log, names, retention }: HistoryRouteParts, request: ApiRequest, etag: () => Promise<string>): Promise<Answer> {
  const found = await revisionNamed(log, request.params.revision);
  const { revision } = found;
  const name = nameIn(request.body);
  if (request.header('if-match') !== undefined) checkIfMatchEtag(request, await etag());
  if (!(await retention.isKept(revision))) throw notKept(revision, retention.keptFrom);
  const shown = jsonAnswer({ _links: revisionLinks(revision, request.base), ...revisionJson({ ...found, name }) });
  if (request.isDryRun || name === found.name) return shown;
  const actor = request.identity.loginName;
  const event = namingOfRevision(revision, actor, name, found.name);
  if (name === null) {
    await names.remove(revision, event);
    return shown;
  }
  await names.put({ revision, name, named_by: actor, named_at: new Date().toISOString() }, event);
  // Compacted meanwhile, it has nothing left that the name could keep.
  if (found.name === null && revision < retention.keptFrom) {
    await names.remove(revision, namingOfRevision(revision, actor, null, name));
    throw notKept(revision, retention.keptFrom);
  }
  return shown;
}

function nameIn({ name }: JsonObject): string | null {
  if (name === null) return null;
  const text = typeof name === 'string' ? name.trim() : '';
  if (text !== '' && text.length <= MAX_NAME_LENGTH) return text;
  throw new Refusal('invalid', NOT_A_NAME, { data: { ...(name !== undefined && { name }), errors: { name: [NOT_A_NAME] } } });
}
