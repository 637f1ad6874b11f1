// The externals of materials: further materials that no pipeline names, such as the externals of a Subversion repository.
import type { ClearAttributes, PolledMaterial } from '../clients/client.ts';
import type { WrittenMaterial } from './configured-types.ts';
import type { Material } from './material.ts';

/** Makes an external from its owner, with the credentials that are configured now. */
export type External = (owner: PolledMaterial) => PolledMaterial;

export class Externals {
  /** By the fingerprint of the owner, and then by that of the external. */
  readonly #byOwner = new Map<string, ReadonlyMap<string, Material>>();
  readonly #owners = new Map<string, Set<string>>();
  readonly #invalid = new Set<string>();

  /** Whether the externals of this material are known. */
  isKnown(owner: string): boolean {
    return this.#byOwner.has(owner) && !this.#invalid.has(owner);
  }

  /** A poll failed: the externals of its material may be different by now. */
  invalidate(owner: string): void {
    if (this.#byOwner.has(owner)) this.#invalid.add(owner);
  }

  by(owner: string): ReadonlyMap<string, Material> {
    return this.#byOwner.get(owner) ?? new Map();
  }

  /** Replaces the externals of a material. Returns the fingerprints of all that may be different now. */
  set(owner: Material, externals: readonly External[]): ReadonlySet<string> {
    const after = new Map(externals.map((external) => materialOf(owner, external)).map((one) => [one.fingerprint, one]));
    const before = this.forget(owner.fingerprint);
    this.#byOwner.set(owner.fingerprint, after);
    for (const fingerprint of after.keys()) this.#owners.getOrInsertComputed(fingerprint, () => new Set()).add(owner.fingerprint);
    return new Set([...before, ...after.keys()]);
  }

  /** Removes the externals of a material that is gone. */
  forget(owner: string): readonly string[] {
    const before = [...this.by(owner).keys()];
    this.#byOwner.delete(owner);
    this.#invalid.delete(owner);
    for (const fingerprint of before) {
      const owners = this.#owners.get(fingerprint);
      owners?.delete(owner);
      if (owners?.size === 0) this.#owners.delete(fingerprint);
    }
    return before;
  }

  /** The material of an external. Pipelines and config repos that use one of its owners count as its users. */
  find(fingerprint: string): Material | undefined {
    const all = [...(this.#owners.get(fingerprint) ?? [])].map((owner) => this.by(owner).get(fingerprint)!);
    const [first] = all;
    if (!first || all.length === 1) return first;
    return {
      ...first,
      uses: all.flatMap(({ uses }) => uses),
      configRepos: all.flatMap(({ configRepos }) => configRepos),
    };
  }
}

function materialOf(owner: Material, external: External): Material {
  const { fingerprint, url, username } = external(owner.toPoll());
  const written = withAttributes(owner.written, {
    url: url ?? '',
    username: username ?? null,
    password: null,
    checkExternals: true,
  });
  return {
    fingerprint,
    type: owner.type,
    written,
    definition: undefined,
    get autoUpdate() {
      return owner.autoUpdate;
    },
    get uses() {
      return owner.uses.map((use) => ({ ...use, written }));
    },
    get configRepos() {
      return owner.configRepos;
    },
    toPoll: () => external(owner.toPoll()),
  };
}

function withAttributes<M extends WrittenMaterial>(written: M, others: ClearAttributes): M {
  return { ...written, attributes: { ...written.attributes, ...others } };
}
