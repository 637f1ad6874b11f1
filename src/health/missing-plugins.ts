// Watches for configuration whose plugin is not installed: it may be saved, but it does nothing.

import type { Revision } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import type { Draft } from '../config/draft.ts';
import type { Entity, Kind } from '../shape/resource.ts';
import type { HealthMessages } from './messages.ts';

interface Watched {
  readonly config: Config;
  readonly health: HealthMessages;
  readonly seen: () => Draft['seen'];
  isInstalled(pluginId: string): boolean;
  listen(listener: (revision: Revision) => void): void;
}

export function watchPlugins({ config, health, seen, isInstalled, listen }: Watched): void {
  const look = (kind: Kind, key: string, entity: Entity | undefined) => {
    if (!kind.plugin) return;
    const about = `plugin of ${kind.name} ${key}`;
    const pluginId = entity && kind.plugin.of(entity as never, seen());
    if (!pluginId || isInstalled(pluginId)) {
      health.clear(about);
      return;
    }
    const message = `Plugin '${pluginId}' is not installed`;
    health.raise(about, 'WARNING', message, `${kind.title} '${key}' is stored, but has no effect until the plugin is installed.`);
  };
  for (const kind of config.kinds.values()) for (const { key, value } of config.of(kind.name).all()) look(kind, key, value);
  listen(({ edits }) => {
    for (const { kind, key, after } of edits) look(kind, key, after?.value);
  });
}
