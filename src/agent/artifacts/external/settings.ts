// The settings of a plugin, and the variables in them.
import type { WorkSetting } from '../../../contracts/agent-protocol/work.ts';
import { ExternalFailure, type PublishContext } from './parts.ts';

/** A second dollar in front means the text itself. */
const VARIABLE = /\$?\$\{([^{}$]*)\}/g;

export class Settings {
  readonly #settings: ReadonlyMap<string, WorkSetting>;

  constructor(settings: readonly WorkSetting[]) {
    this.#settings = new Map(settings.map((one) => [one.key.toLowerCase(), one]));
  }

  /** Absent settings are empty. */
  text(key: string): string {
    return this.#settings.get(key.toLowerCase())?.value.trim() ?? '';
  }

  /** The text as it is written: blanks may belong to a password. */
  exact(key: string): string {
    return this.#settings.get(key.toLowerCase())?.value ?? '';
  }

  isTrue(key: string): boolean {
    return this.text(key).toLowerCase() === 'true';
  }

  /** For a text that others see: on a command line, or in the metadata of an artifact. */
  shown(key: string): string {
    if (this.#settings.get(key.toLowerCase())?.is_secret && this.text(key) !== '')
      throw new ExternalFailure(`The setting "${key}" is a secret, but it would be seen by everybody: nothing was done with it.`);
    return this.text(key);
  }

  /** The shown text, with variables of the job in it. */
  resolved(key: string, { environment, isSecret }: Pick<PublishContext, 'environment' | 'isSecret'>): string {
    return this.shown(key).replace(VARIABLE, (whole, name: string) => {
      if (whole.startsWith('$$')) return whole.slice(1);
      if (!Object.hasOwn(environment, name))
        throw new ExternalFailure(`The setting "${key}" uses the environment variable "${name}", which this job does not have.`);
      if (isSecret(name))
        throw new ExternalFailure(`The setting "${key}" uses the secret variable "${name}", and would be seen by everybody.`);
      return environment[name]!;
    });
  }
}
