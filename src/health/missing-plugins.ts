// Watches for configuration that its plugin does not work with: it may be stored, but has no effect, or not the one that is meant.

import type { Config } from '../config/current.ts';
import type { Revision } from '../config/revision.ts';
import { isPluginProblem, type Problem } from '../shape/problems/problem.ts';
import { addressOf, type Entity, type Kind, keyOf, type RuleView } from '../shape/resource.ts';
import type { HealthMessages } from './messages.ts';

interface Watched {
  readonly config: Config;
  readonly health: HealthMessages;
  readonly ruleView: () => RuleView;
  isInstalled(pluginId: string): boolean;
  /** The problems that the plugin finds in the settings of an entity. */
  pluginProblemsOf(plugin: NonNullable<Kind['plugin']>, entity: Entity, ruleView: RuleView): readonly Problem[];
  listen(listener: (revision: Revision) => void): void;
}

const NO_EFFECT = 'is stored, but has no effect until the plugin is installed.';

export function watchPlugins({ config, health, ruleView, isInstalled, pluginProblemsOf, listen }: Watched): void {
  const check = (kind: Kind, key: string, entity: Entity | undefined, now: RuleView) => {
    if (!kind.plugin && !kind.pluginProblems) return;
    const about = `plugin of ${kind.name} ${key}`;
    const pluginId = entity && kind.plugin?.of(entity, now);
    if (entity && pluginId && !isInstalled(pluginId)) {
      const detail = `${kind.title} '${key}' ${kind.plugin?.meanwhile ?? NO_EFFECT}`;
      health.raise(about, 'WARNING', `Plugin '${pluginId}' is not installed`, detail);
      return;
    }
    const found = entity
      ? [...(kind.plugin ? pluginProblemsOf(kind.plugin, entity, now) : []), ...(kind.pluginProblems?.(entity, now) ?? [])]
      : [];
    const problems = found.filter(isPluginProblem).map(({ pluginSetting, message }) => `${pluginSetting}: ${message}`);
    if (!entity || problems.length === 0) {
      health.clear(about);
      return;
    }
    health.raise(
      about,
      'WARNING',
      `${kind.title} '${addressOf(kind, entity)}' has settings that its plugin does not accept`,
      problems.join('\n'),
    );
  };
  const start = ruleView();
  for (const kind of config.kinds.values()) for (const { key, value } of config.of(kind.name).all()) check(kind, key, value, start);
  listen(({ edits }) => {
    const now = ruleView();
    for (const edit of edits) {
      check(edit.kind, edit.key, edit.after?.value, now);
      // Others may have settings for the plugin that it names.
      if (!edit.after || !edit.kind.plugin) continue;
      for (const { kind: name, id } of now.referrers(edit.kind.name, edit.id)) {
        const kind = config.kinds.get(name)!;
        check(kind, keyOf(kind, id), config.of(name).find(id)?.value, now);
      }
    }
  });
}
