// Keeps the metadata of providers for a while, so that not every login requests it.
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import type { Provider } from './openid.ts';

const KEEP_MS = 10 * 60_000;
/** Unauthenticated clients can start logins: a provider that is away is not asked for each of them. */
const KEEP_FAILURE_MS = 2_000;

interface CachedProvider {
  readonly provider: Promise<Provider>;
  until: number;
}

/** Settings are a new object as soon as the configuration changes, so nothing outdated is found by them. */
export class ProviderCache {
  readonly #kept = new WeakMap<SettingValues, CachedProvider>();
  readonly #settingsOf = new WeakMap<Provider, SettingValues>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(settings: SettingValues, discover: () => Promise<Provider>): Promise<Provider> {
    const kept = this.#kept.get(settings);
    if (kept && this.#now() < kept.until) return kept.provider;
    const provider = discover();
    const entry: CachedProvider = { provider, until: this.#now() + KEEP_MS };
    this.#kept.set(settings, entry);
    provider.then(
      (found) => this.#settingsOf.set(found, settings),
      () => {
        entry.until = this.#now() + KEEP_FAILURE_MS;
      },
    );
    return provider;
  }

  forget(provider: Provider): void {
    const settings = this.#settingsOf.get(provider);
    if (settings) this.#kept.delete(settings);
  }
}
