// Finds users whose login names look like another one.
import { skeletonOf } from '../../kit/text/look-alikes.ts';

export class LookAlikeIndex {
  readonly #keys = new Map<string, Set<string>>();

  add(loginName: string, key: string): void {
    this.#keys.getOrInsertComputed(skeletonOf(loginName), () => new Set()).add(key);
  }

  remove(loginName: string, key: string): void {
    this.#keys.get(skeletonOf(loginName))?.delete(key);
  }

  /** The key of another user. */
  find(loginName: string, key: string): string | undefined {
    return this.#keys
      .get(skeletonOf(loginName))
      ?.values()
      .find((other) => other !== key);
  }
}
