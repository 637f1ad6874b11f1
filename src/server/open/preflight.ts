// Joins preflight to the server: files and branches are checked by the same parsers and publisher as config repos.
import { type Preflights, preflightRoute } from '../../api/endpoints/preflight/routes.ts';
import type { ResourceParts } from '../../api/engine/resource-parts.ts';
import type { Route } from '../../api/engine/route.ts';
import { repoNow } from '../../config-repos/cycle/repo-config.ts';
import { PreflightLanes } from '../../config-repos/preflight/lanes.ts';
import { preflightRef, preflightSent } from '../../config-repos/preflight/preflight.ts';
import { type RefParts, readRef } from '../../config-repos/preflight/read-ref.ts';
import { Publisher } from '../../config-repos/publish/publisher.ts';
import { locate } from '../../formats/locate.ts';
import type { Log } from '../../kit/log.ts';
import { Refusal } from '../../kit/refusal.ts';
import { MaterialProblem } from '../../materials/clients/client.ts';
import { openRequestedFiles } from '../../materials/files/open-files.ts';
import type { PluginHost } from '../../plugins/host.ts';
import type { OpenMaterials } from './materials.ts';

interface Parts extends ResourceParts {
  readonly plugins: PluginHost;
  readonly materials: Pick<OpenMaterials['ofConfigRepos'], 'ofConfigRepo' | 'runWithMaterial'>;
  readonly log: Log;
  readonly parse: RefParts['parse'];
}

const MINUTE_MS = 60_000;
/** Short, because the client waits for the answer. */
const READING = { readMs: 2 * MINUTE_MS, programMs: MINUTE_MS, maxBytes: 2 * 1024 ** 3 };

export function openPreflight({ config, changes, tools, plugins, materials, log, parse }: Parts): Route {
  const parts = {
    publisher: new Publisher({ config, changes, tools, locate }),
    parse,
    open: openRequestedFiles,
    runWithMaterial: materials.runWithMaterial,
    limits: READING,
    onFault: (failure: unknown, message: string) => log.error({ err: failure }, message),
  };
  const lanes = new PreflightLanes();
  const settingsOf = (pluginId: string) => plugins.clearValues(config.of('pluginSettings').find(pluginId)?.value.configuration ?? []);
  const preflights: Preflights = {
    hasPlugin: (id) => plugins.configRepo(id) !== undefined,
    sent: (pluginId, files, repo, author, gone) =>
      lanes.forFiles(async () => {
        const now = repo === undefined ? undefined : repoNow(repo, config, plugins, tools.cipher);
        return preflightSent(plugins.configRepo(pluginId)!, settingsOf(pluginId), files, now, author, gone, parts);
      }),
    ref: (repo, ref, author, gone) =>
      lanes.forRef(repo, async () => {
        const now = repoNow(repo, config, plugins, tools.cipher);
        const material = await materials.ofConfigRepo(repo);
        if (!now?.plugin || !material) throw new Refusal('notFound', config.kind('configRepos').messages.notFound(repo));
        const whole = { ...now, plugin: now.plugin };
        const files = await readRef(whole, material, ref, gone, parts).catch((failure: unknown) => {
          if (!(failure instanceof MaterialProblem || gone.aborted)) parts.onFault(failure, `the config repo ${repo} could not be read`);
          throw new Refusal('invalid', failure instanceof Error ? failure.message : String(failure));
        });
        return preflightRef(whole, files, author, parts);
      }),
  };
  return preflightRoute(config, preflights);
}
