// Answers that show entities: made once for each entity and address, then sent as they are.
import type { Config } from '../config/current.ts';
import type { Entry } from '../config/entry.ts';
import { linksOf, writeEntity } from '../shape/entity-json.ts';
import { etagOfAll } from '../shape/etag.ts';
import { type Collection, idOf, type Kind } from '../shape/resource.ts';
import type { Answer } from './route.ts';

interface Rendered {
  readonly base: string;
  readonly answer: Answer & { readonly text: string };
}

interface RenderedList extends Rendered {
  readonly generation: number;
}

export class Renderer {
  readonly #config: Config;
  readonly #entities = new WeakMap<Entry, Rendered>();
  readonly #lists = new Map<string, RenderedList>();

  constructor(config: Config) {
    this.#config = config;
  }

  one(kind: Kind, entry: Entry, base: string): Rendered['answer'] {
    const known = this.#entities.get(entry);
    if (known?.base === base) return known.answer;
    const text = JSON.stringify(writeEntity(kind, entry.value, base));
    const answer = { status: 200, text, bytes: Buffer.byteLength(text), etag: entry.etag };
    this.#entities.set(entry, { base, answer });
    return answer;
  }

  list(kind: Kind & Collection, base: string): Answer {
    const entries = this.#config.of(kind.name);
    const known = this.#lists.get(kind.name);
    if (known?.base === base && known.generation === entries.generation) return known.answer;
    const answer = this.#renderList(kind, kind.sorted ? sortedById(kind, entries.all()) : [...entries.all()], base);
    this.#lists.set(kind.name, { base, generation: entries.generation, answer });
    return answer;
  }

  #renderList(kind: Kind & Collection, entries: readonly Entry[], base: string): Rendered['answer'] {
    const links = JSON.stringify(linksOf(kind, base, kind.listLinks));
    const members = entries.map((entry) => this.one(kind, entry, base).text).join(',');
    const text = `{"_links":${links},"_embedded":{"${kind.listKey}":[${members}]}}`;
    return { status: 200, text, bytes: Buffer.byteLength(text), etag: etagOfAll(entries.map((entry) => entry.etag)) };
  }
}

function sortedById(kind: Kind & Collection, entries: Iterable<Entry>): Entry[] {
  const named = Array.from(entries, (entry) => ({ entry, id: idOf(kind, entry.value) }));
  named.sort((one, other) => (one.id < other.id ? -1 : 1));
  return named.map(({ entry }) => entry);
}
