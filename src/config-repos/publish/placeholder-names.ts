// Names for pipelines whose own names are taken, so that all that is wrong with them can be found. Nothing comes into force under these.
import type { DefinedPipeline } from '../../contracts/plugins/config-repo.ts';

/** Names may have 255 characters. */
const MAX_KEPT_LENGTH = 200;

export class PlaceholderNames {
  readonly #byName = new Map<string, DefinedPipeline>();

  nameFor(defined: DefinedPipeline, isFree: (name: string) => boolean): string {
    for (let number = 1; ; number++) {
      const name = `${defined.name.slice(0, MAX_KEPT_LENGTH)}.taken-${number}`;
      if (this.#byName.has(name) || !isFree(name)) continue;
      this.#byName.set(name, defined);
      return name;
    }
  }

  find(name: string): DefinedPipeline | undefined {
    return this.#byName.get(name);
  }

  get all(): Iterable<readonly [string, DefinedPipeline]> {
    return this.#byName;
  }

  /** The message with the names that the files have in place of the placeholders. */
  withOriginalNames(message: string): string {
    let text = message;
    for (const [name, defined] of this.#byName) text = text.replaceAll(name, defined.name);
    return text;
  }
}
