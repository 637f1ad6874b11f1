// All materials, each once, with the places that use it. The cost of a change depends on the size of its place, not on other places.
import type { FoundMaterial, Material, MaterialUse } from './material.ts';

/** One pipeline, or one config repo. */
export interface Place {
  /** Places are in the order of these numbers, the first of them first. */
  readonly order: readonly number[];
  readonly found: readonly FoundMaterial[];
  readonly pipeline?: { readonly name: string; readonly group: string };
  readonly configRepo?: string;
}

export class MaterialIndex {
  readonly #materials = new Map<string, IndexedMaterial>();
  readonly #places = new Map<string, Place>();
  /** How many pipelines of each have materials. */
  readonly #groups = new Map<string, number>();

  get groups(): readonly string[] {
    return [...this.#groups.keys()];
  }

  /** By fingerprint. It changes with the places: a caller that continues later must ask again. */
  get materials(): ReadonlyMap<string, Material> {
    return this.#materials;
  }

  /** The materials that are used in a place. */
  inPlace(name: string): readonly Material[] {
    return (this.#places.get(name)?.found ?? []).map(({ fingerprint }) => this.#materials.get(fingerprint)!);
  }

  /** The same, as that place says it. */
  foundIn(name: string): readonly FoundMaterial[] {
    return this.#places.get(name)?.found ?? [];
  }

  /** Puts a place there under its name, or takes it away. Gives the fingerprints of all that may be different now. */
  set(name: string, place: Place | undefined): ReadonlySet<string> {
    const before = this.#places.get(name);
    this.#count(before?.pipeline?.group, -1);
    this.#count(place?.pipeline?.group, 1);
    const touched = new Set([...(before?.found ?? []), ...(place?.found ?? [])].map(({ fingerprint }) => fingerprint));
    for (const { fingerprint } of before?.found ?? []) this.#materials.get(fingerprint)?.remove(name);
    if (place) this.#places.set(name, place);
    else this.#places.delete(name);
    for (const { fingerprint } of place?.found ?? [])
      this.#materials.getOrInsertComputed(fingerprint, () => new IndexedMaterial(fingerprint)).add(name, place!);
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

class IndexedMaterial implements Material {
  readonly fingerprint: string;
  readonly #places = new Map<string, Place>();
  /** Worked out on demand: very many pipelines may share one material. */
  #first: FoundMaterial | undefined;
  #uses: readonly MaterialUse[] | undefined;

  constructor(fingerprint: string) {
    this.fingerprint = fingerprint;
  }

  add(name: string, place: Place): void {
    this.#places.set(name, place);
    this.#forget();
  }

  remove(name: string): void {
    // A caller that still uses the material when its last place has gone sees the attributes of that place.
    const isLast = this.#places.size === 1;
    if (isLast) this.#keep();
    this.#places.delete(name);
    if (!isLast) this.#forget();
  }

  get isUnused(): boolean {
    return this.#places.size === 0;
  }

  get type(): string {
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
    this.#uses ??= [...this.#places.values()].toSorted(inOrder).flatMap((place) => this.#usesIn(place));
    return this.#uses;
  }

  get configRepos(): readonly string[] {
    return [...this.#places.values()].flatMap(({ configRepo }) => configRepo ?? []);
  }

  get #firstFound(): FoundMaterial {
    this.#first ??= this.#findFirst();
    return this.#first!;
  }

  /** A material that is polled in one place is polled, even if another definition that leads to it says otherwise. */
  #findFirst(): FoundMaterial | undefined {
    let first: { readonly place: Place; readonly found: FoundMaterial } | undefined;
    for (const place of this.#places.values()) {
      for (const found of place.found) {
        if (!this.#isThis(found)) continue;
        const isPolledMore = Number(found.autoUpdate) - Number(first?.found.autoUpdate ?? false);
        if (!first || isPolledMore > 0 || (isPolledMore === 0 && inOrder(place, first.place) < 0)) first = { place, found };
      }
    }
    return first?.found;
  }

  #usesIn({ found, pipeline, order }: Place): MaterialUse[] {
    return found.flatMap((one, index) =>
      pipeline && this.#isThis(one)
        ? [{ group: pipeline.group, pipeline: pipeline.name, written: one.written, definition: one.definition, order: [...order, index] }]
        : [],
    );
  }

  #isThis({ fingerprint }: FoundMaterial): boolean {
    return fingerprint === this.fingerprint;
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

interface Ordered {
  readonly order: readonly number[];
}

/** Compares number by number. */
export function inOrder({ order: one }: Ordered, { order: other }: Ordered): number {
  for (let place = 0; place < one.length; place++) if (one[place] !== other[place]) return one[place]! - other[place]!;
  return 0;
}
