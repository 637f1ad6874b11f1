// Asks Subversion servers for the identities of their repositories: a few at a time, and none for long.
import { mkdirSync } from 'node:fs';
import { Slots } from '../../kit/slots.ts';
import type { HouseRules } from '../client.ts';
import type { Material } from '../of-config.ts';
import { type SecretLookUp, withSecrets } from '../secret-texts.ts';
import { longDescription } from '../words.ts';
import { svnInfo } from './info.ts';
import type { SvnMaterial } from './material.ts';
import { Svn } from './svn.ts';

const AT_ONCE = 10;
const LIMITS = { timeoutMs: 20_000, mostBytes: 1024 * 1024 };
const LONGEST_WAIT_MS = 60_000;

export class SvnUuids {
  readonly #directory: string;
  readonly #rules: HouseRules;
  readonly #secrets: SecretLookUp;
  readonly #onFailure: (failure: unknown, message: string) => void;
  readonly #slots = new Slots(AT_ONCE, Number.POSITIVE_INFINITY, LONGEST_WAIT_MS);

  /** The programs run in the directory, and leave nothing there. */
  constructor(directory: string, rules: HouseRules, secrets: SecretLookUp, onFailure: (failure: unknown, message: string) => void) {
    this.#directory = directory;
    this.#rules = rules;
    this.#secrets = secrets;
    this.#onFailure = onFailure;
  }

  /** undefined: it could not be asked, which is told to somebody else. */
  async of(material: Material, signal: AbortSignal): Promise<string | undefined> {
    const giveBack = await this.#slots.take();
    if (!giveBack) return undefined;
    try {
      mkdirSync(this.#directory, { recursive: true });
      const surroundings = { directory: this.#directory, signal, onActivity: () => {}, limits: LIMITS, ...this.#rules };
      const ready = (await withSecrets(material, this.#secrets)) as SvnMaterial;
      return (await svnInfo(new Svn(ready, surroundings))).uuid;
    } catch (failure) {
      if (!signal.aborted) this.#onFailure(failure, `the repository of ${longDescription(material)} could not be asked for its identity`);
      return undefined;
    } finally {
      giveBack();
    }
  }
}
