// Answers that show entities: made once for each entity and address, then sent as they are.
import type { Config } from '../config/current.ts';
import { Draft } from '../config/draft.ts';
import type { Entry } from '../config/entry.ts';
import { shownEtag, writeShown } from '../config/shown.ts';
import { linksOf } from '../shape/entity-json.ts';
import { etagOfAll } from '../shape/etag.ts';
import { type Collection, idOf, type Kind } from '../shape/resource.ts';
import type { Answer } from './route.ts';

interface Rendered<A = Answer & { readonly text: string; readonly etag: string }> {
  readonly base: string;
  /** The state of the kinds it shows parts of, when it was made. */
  readonly generation: number;
  readonly answer: A;
}

/** Short texts are sent fastest as they are, long ones as bytes that are made once. */
const LONG_TEXT_BYTES = 64 * 1024;

export class Renderer {
  readonly #config: Config;
  readonly #entities = new WeakMap<Entry, Rendered>();
  readonly #lists = new Map<string, Rendered<Answer>>();

  constructor(config: Config) {
    this.#config = config;
  }

  one(kind: Kind, entry: Entry, base: string): Rendered['answer'] {
    const known = this.#entities.get(entry);
    const generation = kind.shows ? this.#generationOf(kind.shows.kinds) : 0;
    if (known?.base === base && known.generation === generation) return known.answer;
    const { seen } = new Draft(this.#config);
    const text = JSON.stringify(writeShown(kind, entry.value, seen, base));
    const answer = { status: 200, text, bytes: Buffer.byteLength(text), etag: shownEtag(kind, entry, seen) };
    this.#entities.set(entry, { base, generation, answer });
    return answer;
  }

  /** All members, or those that somebody may see. */
  list(kind: Kind & Collection, base: string, isVisible?: (entry: Entry) => boolean): Answer {
    if (isVisible) return this.#renderList(kind, this.#membersOf(kind).filter(isVisible), base);
    const generation = this.#generationOf([kind.name, ...(kind.shows?.kinds ?? [])]);
    const known = this.#lists.get(kind.name);
    if (known?.base === base && known.generation === generation) return known.answer;
    const answer = ready(this.#renderList(kind, this.#membersOf(kind), base));
    this.#lists.set(kind.name, { base, generation, answer });
    return answer;
  }

  #membersOf(kind: Kind & Collection): Entry[] {
    const entries = [...this.#config.of(kind.name).all()];
    if (!kind.sorted) return this.#byOwner(kind, entries);
    const named = entries.map((entry) => ({ entry, id: idOf(kind, entry.value) }));
    named.sort((one, other) => (one.id < other.id ? -1 : 1));
    return named.map(({ entry }) => entry);
  }

  /** What belongs to others is listed owner by owner. */
  #byOwner(kind: Kind, entries: Entry[]): Entry[] {
    const placeOf = ({ value }: Entry): number => {
      const owner = kind.refersTo?.(value as never).find((reference) => reference.isOwner);
      return owner ? (this.#config.of(owner.kind).find(owner.id)?.created ?? 0) : 0;
    };
    const [first] = entries;
    if (!first || placeOf(first) === 0) return entries;
    return entries
      .map((entry) => ({ entry, place: placeOf(entry) }))
      .sort((one, other) => one.place - other.place)
      .map(({ entry }) => entry);
  }

  #renderList(kind: Kind & Collection, entries: readonly Entry[], base: string): Rendered['answer'] {
    const members = entries.map((entry) => this.one(kind, entry, base));
    const links = JSON.stringify(linksOf(kind, base, kind.listLinks));
    const text = `{"_links":${links},"_embedded":{"${kind.listKey}":[${members.map((member) => member.text).join(',')}]}}`;
    return { status: 200, text, bytes: Buffer.byteLength(text), etag: etagOfAll(members.map((member) => member.etag)) };
  }

  #generationOf(kinds: readonly string[]): number {
    return kinds.reduce((sum, kind) => sum + this.#config.of(kind).generation, 0);
  }
}

function ready({ text, bytes, ...rest }: Rendered['answer']): Answer {
  return Number(bytes) > LONG_TEXT_BYTES ? { ...rest, body: Buffer.from(text) } : { ...rest, text, bytes };
}
