// The questions of other parts to plugins: whether settings are valid, which settings are secret, which users can log in.
import type { CanLogInParts } from '../../access/login/can-log-in.ts';
import type { Config } from '../../config/current.ts';
import type { ReadingParts } from '../../document/save/read-wanted.ts';
import type { PluginHost } from '../../plugins/host.ts';
import type { SecretParts } from '../../plugins/secret-references.ts';
import { unresolvedSecretProblems } from '../../plugins/unresolved-secrets.ts';
import type { ReadingTools } from '../../shape/json/entity-json.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import type { RuleView } from '../../shape/resource.ts';

/** Rules of resources ask for settings inside an entity. */
export function connectPluginRules(plugins: PluginHost, config: Config): void {
  config.askPlugin = plugins.problemsInside.bind(plugins);
  config.isPartOfIdentity = plugins.isPartOfIdentity.bind(plugins);
}

/** For code that reads entities. */
export function readingParts(plugins: PluginHost, secrets: Pick<ReadingTools, 'cipher' | 'openImported'>, dataDir: string): ReadingParts {
  return {
    tools: { ...secrets, isSecretSetting: plugins.isSecretSetting.bind(plugins) },
    pluginProblemsOf: (use, entity, ruleView) => {
      const problems = plugins.problemsOf(use, entity, ruleView);
      return use.refersAs
        ? withUnresolved(problems, unresolvedSecretProblems(use, entity, secretParts(plugins, dataDir, ruleView)))
        : problems;
    },
  };
}

async function withUnresolved(problems: readonly Problem[], unresolved: Promise<readonly Problem[]>): Promise<readonly Problem[]> {
  return [...problems, ...(await unresolved)];
}

/** With the secret configs as they will be after the change. */
function secretParts(plugins: PluginHost, dataDir: string, { secretConfigs }: RuleView): SecretParts {
  return {
    find: (id) => secretConfigs.get(id),
    plugin: (id) => plugins.secrets(id),
    clearValues: (properties) => plugins.clearValues(properties),
    host: { directory: dataDir },
  };
}

/** For code that asks authorization configurations about users. */
export function loginSources(plugins: PluginHost, dataDir: string): Pick<CanLogInParts, 'host' | 'findPlugin' | 'clearValues'> {
  return {
    host: { directory: dataDir },
    findPlugin: (id) => plugins.authorization(id),
    clearValues: (properties) => plugins.clearValues(properties),
  };
}
