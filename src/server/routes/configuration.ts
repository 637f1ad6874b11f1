// The routes that show and change the configuration: those of every resource, and the additional ones of some resources.

import type { Users } from '../../access/users/users.ts';
import { configBatchRoute } from '../../api/endpoints/batch/routes.ts';
import { verifyConnectionRoute } from '../../api/endpoints/connections/auth-config.ts';
import type { FindConnectionProblems } from '../../api/endpoints/connections/check.ts';
import { CheckLanes } from '../../api/endpoints/connections/lanes.ts';
import { checkRepositoryRoutes } from '../../api/endpoints/connections/repository.ts';
import { checkConnectionRoutes } from '../../api/endpoints/connections/routes.ts';
import { encryptRoute } from '../../api/endpoints/encrypt/routes.ts';
import { mergedEnvironmentsRoute } from '../../api/endpoints/environments/routes.ts';
import { exportRoutes } from '../../api/endpoints/export/routes.ts';
import { formRoutes } from '../../api/endpoints/forms/routes.ts';
import { mailTestRoute } from '../../api/endpoints/mail-test/routes.ts';
import { extractTemplateRoute } from '../../api/endpoints/pipelines/extract-template.ts';
import type { PipelineKinds } from '../../api/endpoints/pipelines/list.ts';
import { pipelineRoutes } from '../../api/endpoints/pipelines/routes.ts';
import { pluginInfoRoutes } from '../../api/endpoints/plugin-info/routes.ts';
import { sealedDraftRoutes } from '../../api/endpoints/sealed-drafts/routes.ts';
import { templateRoutes } from '../../api/endpoints/templates/routes.ts';
import { usageRoutes } from '../../api/endpoints/usages/routes.ts';
import type { ResourceParts } from '../../api/engine/resource-parts.ts';
import { resourceRoutes } from '../../api/engine/resource-routes.ts';
import type { Route } from '../../api/engine/route.ts';
import { withWarning } from '../../api/http/headers/warning-header.ts';
import type { Backups } from '../../backup/backups.ts';
import type { Pauses } from '../../builds/pauses.ts';
import { pipelinesUsing } from '../../builds/usages.ts';
import type { Config } from '../../config/current.ts';
import type { AuthorizationHost } from '../../contracts/plugins/authorization.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { Log } from '../../kit/log.ts';
import type { SmtpOptions } from '../../mail/smtp.ts';
import type { MaterialRules } from '../../materials/clients/client.ts';
import { repositoryClients } from '../../materials/types/clients.ts';
import { yamlConfigRepoPlugin } from '../../plugins/bundled/config-repos/yaml.ts';
import type { PluginHost } from '../../plugins/host.ts';
import { parametersUsed } from '../../resources/pipelines/parameters.ts';
import { profileUsages } from '../../resources/pipelines/profile-usages.ts';
import { backupConfig } from '../../resources/server/backup-config.ts';
import { type LocalMaterialParts, localPathProblems } from '../open/local-materials.ts';
import { openSecrets } from '../open/secrets.ts';

interface Parts {
  readonly cipher: Cipher;
  readonly plugins: PluginHost;
  readonly pauses: Pauses;
  readonly authorizationHost: AuthorizationHost;
  readonly smtp: SmtpOptions;
  readonly log: Log;
  readonly materialRules: MaterialRules;
  readonly backups: Pick<Backups, 'problemWithScript'>;
  readonly localMaterials: LocalMaterialParts;
  readonly users: Pick<Users, 'mustKnow'>;
}

export function configurationRoutes(resourceParts: ResourceParts, parts: Parts): Route[] {
  const { config } = resourceParts;
  const { cipher, plugins, pauses, authorizationHost, smtp, log, materialRules, localMaterials, users } = parts;
  const pipelines = config.collection('pipelines');
  const templates = config.collection('templates');
  const authorizations = config.collection('templateAuthorizations');
  const secrets = openSecrets(config, plugins, authorizationHost);
  const asking = { findProblems: pathProblemsFinder(localMaterials), lanes: new CheckLanes() };
  const routes = [
    ...resourceRoutes([...config.kinds.values()], resourceParts).map((route) => warnOfScript(route, parts.backups)),
    verifyConnectionRoute(config.kind('authConfigs'), resourceParts, ({ pluginId, properties }) =>
      plugins.authorization(pluginId)?.verifyConnection(plugins.clearValues(properties), authorizationHost),
    ),
    ...checkConnectionRoutes(plugins, secrets, materialRules, asking, resourceParts),
    ...checkRepositoryRoutes(
      { clients: repositoryClients(), tools: localMaterials.tools, secrets, rules: materialRules, ...asking },
      resourceParts,
    ),
    mailTestRoute(config.kind('mailServer'), resourceParts, { cipher, smtp, log }),
    ...pipelineRoutes(pipelineKinds(config), resourceParts, pauses),
    ...templateRoutes({ templates, authorizations }, resourceParts, parametersUsed),
    extractTemplateRoute({ pipelines, templates, authorizations }, resourceParts),
    mergedEnvironmentsRoute(config.collection('environments'), resourceParts),
    ...usageRoutes(resourceParts, { pipelinesUsing, profileUsages }),
    encryptRoute(cipher),
    ...sealedDraftRoutes(cipher, users),
    ...pluginInfoRoutes(plugins.all),
    ...exportRoutes({ ...resourceParts, plugins, examplePlugin: yamlConfigRepoPlugin }),
  ];
  return [...routes, configBatchRoute(resourceParts, routes), ...formRoutes(routes, resourceParts)];
}

export function pipelineKinds(config: Config): PipelineKinds {
  return { pipelines: config.collection('pipelines'), groups: config.collection('pipelineGroups') };
}

/** A script may be installed after it was configured, so it is not refused; and GoCD takes any. */
function warnOfScript(route: Route, backups: Parts['backups']): Route {
  if (route.path !== backupConfig.path || !['POST', 'PUT', 'PATCH'].includes(route.method)) return route;
  return withWarning(route, ({ post_backup_script: script }) => {
    const problem = typeof script === 'string' && script.trim() !== '' ? backups.problemWithScript(script.trim()) : undefined;
    return problem && `post_backup_script: ${problem}`;
  });
}

function pathProblemsFinder(parts: LocalMaterialParts): FindConnectionProblems {
  return (kind, before, after, identity) => (parts.isAdmin(identity) ? [] : localPathProblems({ kind: kind.name, before, after }, parts));
}
