// The list of materials that the user may see, as JSON: each as the first visible pipeline that uses it has it.
import { sha512of256 } from '../../../kit/bytes/hash.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import type { WrittenMaterial } from '../../../materials/catalogue/configured-types.ts';
import type { Material, MaterialUse } from '../../../materials/catalogue/material.ts';
import { inOrder } from '../../../materials/catalogue/material-index.ts';
import type { JsonOut } from '../../../shape/json/json.ts';

/** Type and attributes, without secrets. */
export type ShowMaterial = (written: WrittenMaterial) => JsonOut;

export interface ListText {
  /** The members of the list. */
  readonly text: string;
  readonly etag: string;
}

/** The parts of a material that the list needs. */
type ListedMaterial = Pick<Material, 'fingerprint' | 'uses'>;

/** A material, and the first of its uses that the user may see. */
interface VisibleMaterial<M> {
  readonly material: M;
  readonly use: MaterialUse;
}

/** Which uses the user sees: by group, which many users share; or one by one, with a token that is limited to some pipelines. */
export type MaterialVisibility = { seesGroup(group: string): boolean } | { seesUse(use: MaterialUse): boolean };

const MAX_LISTS = 20;

/** The materials as of one moment. */
export interface Listing {
  readonly materials: ReadonlyMap<string, ListedMaterial>;
  /** Of all pipelines. */
  readonly groups: readonly string[];
  /** Grows with every change of the materials. */
  readonly generation: number;
}

export class MaterialList {
  readonly #show: ShowMaterial;
  readonly #texts = new WeakMap<WrittenMaterial, string>();
  /** By the groups that are seen, for one state of the configuration. */
  readonly #lists = new Map<string, Promise<ListText>>();
  #generation = -1;

  constructor(show: ShowMaterial) {
    this.#show = show;
  }

  textFor({ materials, groups, generation }: Listing, visibility: MaterialVisibility): Promise<ListText> {
    if ('seesUse' in visibility) return this.#textOf([...materials.values()], visibility.seesUse);
    if (generation !== this.#generation || this.#lists.size >= MAX_LISTS) this.#lists.clear();
    this.#generation = generation;
    const visibleGroups = new Set(groups.filter(visibility.seesGroup));
    return this.#lists.getOrInsertComputed(JSON.stringify([...visibleGroups].toSorted()), () =>
      this.#textOf([...materials.values()], ({ group }) => visibleGroups.has(group)),
    );
  }

  async #textOf(materials: readonly ListedMaterial[], isVisible: (use: MaterialUse) => boolean): Promise<ListText> {
    const texts: string[] = [];
    for (const { material, use } of await visibleMaterials(materials, isVisible)) {
      texts.push(this.#memberText(material.fingerprint, use.written));
      const wait = pause();
      if (wait) await wait;
    }
    const text = texts.join(',');
    return { text, etag: sha512of256(text) };
  }

  /** The fingerprint is that of the package or SCM it names, which may be replaced. */
  #memberText(fingerprint: string, written: WrittenMaterial): string {
    const known = this.#texts.get(written);
    if (known?.includes(fingerprint)) return known;
    const text = JSON.stringify(materialJson(fingerprint, written, this.#show));
    this.#texts.set(written, text);
    return text;
  }
}

/** The materials that the user may see, in the order of the pipelines. */
export async function visibleMaterials<M extends ListedMaterial>(
  materials: Iterable<M>,
  isVisible: (use: MaterialUse) => boolean,
): Promise<readonly VisibleMaterial<M>[]> {
  const visible: VisibleMaterial<M>[] = [];
  for (const material of materials) {
    const use = material.uses.find(isVisible);
    if (use) visible.push({ material, use });
    const wait = pause();
    if (wait) await wait;
  }
  return visible.sort((one, other) => inOrder(one.use, other.use));
}

/** Only administrators may see materials of a pipeline that is gone. */
const NO_GROUP = '';

/** Rights are those of today: pipelines of another time count by the groups they are in now. `groupOf`: undefined for hidden pipelines. */
export function inGroupsOfToday(
  { materials, generation }: Listing,
  groupOf: (pipeline: string, then: string) => string | undefined,
): Listing {
  const moved = Array.from(materials.values(), ({ fingerprint, uses }) => ({
    fingerprint,
    uses: uses.map((use) => ({ ...use, group: groupOf(use.pipeline, use.group) ?? NO_GROUP })),
  }));
  const groups = new Set(moved.flatMap(({ uses }) => uses.map(({ group }) => group)));
  return { materials: new Map(moved.map((material) => [material.fingerprint, material])), groups: [...groups], generation };
}

export function materialJson(fingerprint: string, written: WrittenMaterial, show: ShowMaterial): JsonOut {
  const { type, attributes } = show(written);
  return { type: type!, fingerprint, attributes: attributes! };
}
