// Answers that show entities: made once for each entity and address, then sent as they are.
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { presentEntity, presentedEtag } from '../../config/presentation.ts';
import { linksOf } from '../../shape/json/entity-json.ts';
import { type Collection, idOf, type Kind } from '../../shape/resource.ts';
import { type RenderedList, type RenderedMember, renderList } from './rendered-list.ts';
import type { Answer } from './route.ts';

type TextAnswer = Answer & { readonly text: string; readonly etag: string };

interface CachedAnswer {
  readonly base: string;
  /** The state of the kinds it shows parts of, when it was made. */
  readonly shown: number;
}

interface CachedList extends CachedAnswer {
  /** The state of its own kind, when it was made. */
  readonly generation: number;
  readonly list: RenderedList;
  readonly answer: Answer;
}

/** Short texts are sent fastest as they are, long ones as bytes that are made once. */
const LONG_TEXT_BYTES = 64 * 1024;

export class Renderer {
  readonly #config: Config;
  readonly #entities = new WeakMap<Entry, CachedAnswer & { readonly answer: TextAnswer }>();
  readonly #lists = new Map<string, CachedList>();

  constructor(config: Config) {
    this.#config = config;
  }

  one(kind: Kind, entry: Entry, base: string): TextAnswer {
    const shown = this.#shownBy(kind);
    const known = this.#known(entry, base, shown);
    if (known) return known;
    const answer = this.once(kind, entry, base);
    this.#entities.set(entry, { base, shown, answer });
    return answer;
  }

  /** An answer that is not kept, as it is not expected to be asked for again: after thousands of writes, theirs would fill the memory. */
  once(kind: Kind, entry: Entry, base: string): TextAnswer {
    const { json: text, etag } = this.#write(kind, entry, base, new Draft(this.#config));
    return { status: 200, text, bytes: Buffer.byteLength(text), etag };
  }

  /** All members, or only the visible ones. */
  list(kind: Kind & Collection, base: string, isVisible?: (entry: Entry) => boolean): Answer {
    const { list, answer } = this.#cachedList(kind, base);
    if (!isVisible) return answer;
    return answerOf(renderList(this.#membersOf(kind).filter(isVisible), (entry) => list.find(entry)!, frameOf(kind, base)));
  }

  #cachedList(kind: Kind & Collection, base: string): CachedList {
    const { generation } = this.#config.of(kind.name);
    const shown = this.#shownBy(kind);
    const before = this.#lists.get(kind.name);
    const isAlike = before?.base === base && before.shown === shown;
    if (isAlike && before.generation === generation) return before;
    const draft = new Draft(this.#config);
    const render = (entry: Entry): RenderedMember => {
      const known = this.#known(entry, base, shown);
      if (known) return { json: known.text, etag: known.etag };
      return (isAlike ? before.list.find(entry) : undefined) ?? this.#write(kind, entry, base, draft);
    };
    const list = renderList(this.#membersOf(kind), render, frameOf(kind, base));
    const cached = { base, shown, generation, list, answer: answerOf(list) };
    this.#lists.set(kind.name, cached);
    return cached;
  }

  #known(entry: Entry, base: string, shown: number): TextAnswer | undefined {
    const known = this.#entities.get(entry);
    return known?.base === base && known.shown === shown ? known.answer : undefined;
  }

  #write(kind: Kind, entry: Entry, base: string, { ruleView }: Draft) {
    return {
      json: JSON.stringify(presentEntity(kind, entry.value, ruleView, this.#config.secrets, base)),
      etag: presentedEtag(kind, entry, ruleView),
    };
  }

  #membersOf(kind: Kind & Collection): Entry[] {
    const entries = [...this.#config.of(kind.name).all()];
    if (!kind.sorted) return this.#byOwner(kind, entries);
    const named = entries.map((entry) => ({ entry, id: idOf(kind, entry.value) }));
    named.sort((one, other) => (one.id < other.id ? -1 : 1));
    return named.map(({ entry }) => entry);
  }

  /** Entities that have an owner are listed owner by owner. */
  #byOwner(kind: Kind, entries: Entry[]): Entry[] {
    const orderOf = ({ value }: Entry): number => {
      const owner = kind.refersTo?.(value).find((reference) => reference.isOwner);
      return owner ? (this.#config.of(owner.kind).find(owner.id)?.created ?? 0) : 0;
    };
    const [first] = entries;
    if (!first || orderOf(first) === 0) return entries;
    return entries
      .map((entry) => ({ entry, order: orderOf(entry) }))
      .sort((one, other) => one.order - other.order)
      .map(({ entry }) => entry);
  }

  /** The state of the kinds it shows parts of. */
  #shownBy({ shows }: Kind): number {
    return shows ? shows.kinds.reduce((sum, kind) => sum + this.#config.of(kind).generation, 0) : 0;
  }
}

function frameOf(kind: Kind & Collection, base: string) {
  const links = JSON.stringify(linksOf(kind, base, kind.listLinks));
  const { listKey, alsoListedAs } = kind;
  const opening = `{"_links":${links},"_embedded":{"${listKey}":[`;
  return { opening, ...(alsoListedAs !== undefined && { again: `],"${alsoListedAs}":[` }), closing: ']}}' };
}

function answerOf({ bytes, etag }: RenderedList): Answer {
  if (bytes.length > LONG_TEXT_BYTES) return { status: 200, body: bytes, etag };
  return { status: 200, text: bytes.toString(), bytes: bytes.length, etag };
}
