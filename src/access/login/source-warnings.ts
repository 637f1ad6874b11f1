// Raises health messages about what to put right in the sources of users, such as weak hashes in a password file.
import type { SourceWarning } from '../../contracts/plugins/authorization.ts';
import type { HealthReports } from '../../kit/health-reports.ts';
import { type LoginSource, type LoginSourceParts, loginSourcesOf } from './login-sources.ts';

interface Parts extends LoginSourceParts {
  readonly health: HealthReports;
}

interface CheckedSource {
  readonly source: LoginSource;
  readonly freshness: string | undefined;
  /** The health messages that stand. */
  readonly about: readonly string[];
}

/** Made to be called again and again: a source that has not changed is not read. */
export function sourceWarnings({ health, ...parts }: Parts): () => Promise<void> {
  const sources = loginSourcesOf(parts);
  let checked: ReadonlyMap<string, CheckedSource> = new Map();

  return async () => {
    const before = checked;
    checked = new Map(await Promise.all(sources().map(async (source) => [source.id, await check(source, before.get(source.id))] as const)));
    const stands = new Set([...checked.values()].flatMap(({ about }) => about));
    for (const { about } of before.values()) for (const one of about) if (!stands.has(one)) health.clear(one);
  };

  async function check(source: LoginSource, before: CheckedSource | undefined): Promise<CheckedSource> {
    const { id, plugin, settings } = source;
    const freshness = plugin.freshness?.(settings, parts.host);
    if (before?.source === source && before.freshness === freshness) return before;
    const about: string[] = [];
    for (const { message, detail } of await warningsOf(source)) {
      about.push(`users of ${id}: ${message}`);
      health.raise(about.at(-1)!, 'WARNING', message, detail);
    }
    return { source, freshness, about };
  }

  async function warningsOf({ id, plugin, settings }: LoginSource): Promise<readonly SourceWarning[]> {
    // A missing file is reported where the configuration is saved and when a user logs in.
    if (!plugin.warnings || plugin.missingPrerequisite?.(settings, parts.host)) return [];
    try {
      return await plugin.warnings(settings, parts.host);
    } catch (failure) {
      return [{ message: `The users of authorization configuration '${id}' cannot be read`, detail: (failure as Error).message }];
    }
  }
}
