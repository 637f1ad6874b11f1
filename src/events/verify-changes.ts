// Whether the change log matches the event of each revision, as far as its values are kept.
import { sha256 } from '../kit/bytes/hash.ts';
import { digestOfLogged, etagOfText, hasStoredAfter, type LoggedEntity } from './change-digest.ts';
import type { EventContent } from './stored-event.ts';

export class LoggedChanges {
  /** The digest of the last value of each entity: every change begins where the one before ended. */
  readonly #known = new Map<string, string>();

  /** To be asked in the order of the revisions. */
  fault({ about, data }: EventContent, revision: number, entities: readonly LoggedEntity[]): string | undefined {
    const isContinued = entities.map((entity) => this.#follows(entity)).every(Boolean);
    const digest = digestOfLogged(entities);
    const isAsReported = digest === undefined ? isAsListed(entities, about) : data.changes_digest === digest;
    if (typeof data.changes_digest === 'string' && !isAsReported)
      return `The change log has other changes in revision ${revision} than were made.`;
    return isContinued ? undefined : `What was before revision ${revision} is not what the change log says of the revisions before.`;
  }

  /** Whether it follows on the last known value of the entity. A value that is not kept any more is not known. */
  #follows(entity: LoggedEntity): boolean {
    const { kind, key, operation, before, after } = entity;
    const name = `${kind}\n${key}`;
    const known = this.#known.get(name);
    if (hasStoredAfter(entity)) this.#known.set(name, sha256(after ?? ''));
    else this.#known.delete(name);
    const isBeforeKept = before !== null || operation === 'create';
    return known === undefined || !isBeforeKept || known === sha256(before ?? '');
  }
}

/** Where some values are gone, the others can still be compared one by one, with those that the event lists. */
function isAsListed(entities: readonly LoggedEntity[], about: EventContent['about']): boolean {
  return about.every(({ operation, etag }, position) => {
    const logged = entities[position];
    return logged?.operation === operation && (logged?.after == null || etagOfText(logged.after) === etag);
  });
}
