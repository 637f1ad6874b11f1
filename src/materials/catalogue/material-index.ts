// All materials, each once, with its consumers. The cost of a change depends on the size of one consumer, not on the others.
import type { FoundMaterial, Material, MaterialUse } from './material.ts';

/** A pipeline or a config repo that uses materials. */
export interface MaterialConsumer {
  /** Consumers are in the order of these numbers, the first of them first. */
  readonly order: readonly number[];
  readonly found: readonly FoundMaterial[];
  readonly pipeline?: { readonly name: string; readonly group: string };
  readonly configRepo?: string;
}

export class MaterialIndex {
  readonly #materials = new Map<string, IndexedMaterial>();
  readonly #consumers = new Map<string, MaterialConsumer>();
  /** Number of pipelines with materials, by group. */
  readonly #groups = new Map<string, number>();

  get groups(): readonly string[] {
    return [...this.#groups.keys()];
  }

  /** By fingerprint. It changes with the consumers: a caller that continues later must ask again. */
  get materials(): ReadonlyMap<string, Material> {
    return this.#materials;
  }

  /** The materials that a consumer uses. */
  usedBy(name: string): readonly Material[] {
    return (this.#consumers.get(name)?.found ?? []).map(({ fingerprint }) => this.#materials.get(fingerprint)!);
  }

  /** The materials of a consumer with the attributes that they have there. */
  foundIn(name: string): readonly FoundMaterial[] {
    return this.#consumers.get(name)?.found ?? [];
  }

  /** Adds a consumer under its name, or removes it. Gives the fingerprints of all that may be different now. */
  set(name: string, consumer: MaterialConsumer | undefined): ReadonlySet<string> {
    const before = this.#consumers.get(name);
    this.#count(before?.pipeline?.group, -1);
    this.#count(consumer?.pipeline?.group, 1);
    const touched = new Set([...(before?.found ?? []), ...(consumer?.found ?? [])].map(({ fingerprint }) => fingerprint));
    for (const { fingerprint } of before?.found ?? []) this.#materials.get(fingerprint)?.remove(name);
    if (consumer) this.#consumers.set(name, consumer);
    else this.#consumers.delete(name);
    for (const [fingerprint, indexes] of indexesByFingerprint(consumer))
      this.#materials.getOrInsertComputed(fingerprint, () => new IndexedMaterial(fingerprint)).add(name, { consumer: consumer!, indexes });
    for (const fingerprint of touched) if (this.#materials.get(fingerprint)?.isUnused) this.#materials.delete(fingerprint);
    return touched;
  }

  #count(group: string | undefined, more: 1 | -1): void {
    if (group === undefined) return;
    const count = (this.#groups.get(group) ?? 0) + more;
    if (count > 0) this.#groups.set(group, count);
    else this.#groups.delete(group);
  }
}

/** A material in the list of a consumer. It knows its indexes: a consumer may have very many others. */
interface MaterialInConsumer {
  readonly consumer: MaterialConsumer;
  readonly indexes: readonly number[];
}

/** By fingerprint. */
function indexesByFingerprint(consumer: MaterialConsumer | undefined): ReadonlyMap<string, readonly number[]> {
  const found = consumer?.found ?? [];
  return Map.groupBy(found.keys(), (index) => found[index]!.fingerprint);
}

class IndexedMaterial implements Material {
  readonly fingerprint: string;
  readonly #consumers = new Map<string, MaterialInConsumer>();
  /** Worked out on demand: very many pipelines may share one material. */
  #first: FoundMaterial | undefined;
  #uses: readonly MaterialUse[] | undefined;

  constructor(fingerprint: string) {
    this.fingerprint = fingerprint;
  }

  add(name: string, material: MaterialInConsumer): void {
    this.#consumers.set(name, material);
    this.#forget();
  }

  remove(name: string): void {
    // A caller that still uses the material when its last consumer has gone sees the attributes of that one.
    const isLast = this.#consumers.size === 1;
    if (isLast) this.#keep();
    this.#consumers.delete(name);
    if (!isLast) this.#forget();
  }

  get isUnused(): boolean {
    return this.#consumers.size === 0;
  }

  get type() {
    return this.#firstFound.type;
  }

  get autoUpdate(): boolean {
    return this.#firstFound.autoUpdate;
  }

  get written() {
    return this.#firstFound.written;
  }

  get definition() {
    return this.#firstFound.definition;
  }

  toPoll() {
    return this.#firstFound.toPoll();
  }

  get uses(): readonly MaterialUse[] {
    this.#uses ??= [...this.#consumers.values()].toSorted((one, other) => inOrder(one.consumer, other.consumer)).flatMap(usesIn);
    return this.#uses;
  }

  get configRepos(): readonly string[] {
    return [...this.#consumers.values()].flatMap(({ consumer }) => consumer.configRepo ?? []);
  }

  get #firstFound(): FoundMaterial {
    this.#first ??= this.#findFirst();
    return this.#first!;
  }

  /** A material that is polled for one consumer is polled, even if another definition that leads to it says otherwise. */
  #findFirst(): FoundMaterial | undefined {
    let first: { readonly consumer: MaterialConsumer; readonly found: FoundMaterial } | undefined;
    for (const { consumer, indexes } of this.#consumers.values()) {
      for (const index of indexes) {
        const found = consumer.found[index]!;
        const isPolledMore = Number(found.autoUpdate) - Number(first?.found.autoUpdate ?? false);
        if (!first || isPolledMore > 0 || (isPolledMore === 0 && inOrder(consumer, first.consumer) < 0)) first = { consumer, found };
      }
    }
    return first?.found;
  }

  #keep(): void {
    this.#first = this.#firstFound;
    this.#uses = this.uses;
  }

  #forget(): void {
    this.#first = undefined;
    this.#uses = undefined;
  }
}

function usesIn({ consumer: { found, pipeline, order }, indexes }: MaterialInConsumer): readonly MaterialUse[] {
  if (!pipeline) return [];
  const { group, name } = pipeline;
  return indexes.map((index) => {
    const { written, definition } = found[index]!;
    return { group, pipeline: name, written, definition, order: [...order, index] };
  });
}

interface Ordered {
  readonly order: readonly number[];
}

/** Compares number by number. */
export function inOrder({ order: one }: Ordered, { order: other }: Ordered): number {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return one[index]! - other[index]!;
  return 0;
}
