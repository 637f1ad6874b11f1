// Joins the parts to a server.
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { authenticator } from './access/authenticate.ts';
import { adminLogins, keepsALogin, keepsAnAdmin } from './access/conditions.ts';
import { ADMIN, firstStart, PASSWORD_FILE } from './access/first-start.ts';
import { Access } from './access/may.ts';
import { rolesOf } from './access/roles-of.ts';
import { revokeOrphans } from './access/token-upkeep.ts';
import { Tokens } from './access/tokens.ts';
import { Users } from './access/users.ts';
import { baseUrls } from './api/base-url.ts';
import { aboutRoutes } from './api/endpoints/about.ts';
import { accessTokenRoutes } from './api/endpoints/access-tokens.ts';
import { currentUserRoutes } from './api/endpoints/current-user.ts';
import { withDocumentation } from './api/endpoints/documentation.ts';
import { encryptRoute } from './api/endpoints/encrypt.ts';
import { metricsRoute } from './api/endpoints/metrics.ts';
import { notificationFilterRoutes } from './api/endpoints/notification-filters.ts';
import { packageUsagesRoute } from './api/endpoints/package-usages.ts';
import { permissionsRoute } from './api/endpoints/permissions.ts';
import { pipelineRoutes } from './api/endpoints/pipelines.ts';
import { pluginInfoRoutes } from './api/endpoints/plugin-info.ts';
import { scmUsagesRoute } from './api/endpoints/scm-usages.ts';
import { templateRoutes } from './api/endpoints/templates.ts';
import { userRoutes } from './api/endpoints/users.ts';
import { verifyConnectionRoute } from './api/endpoints/verify-connection.ts';
import { handlerOf } from './api/handler.ts';
import { listen } from './api/listen.ts';
import { Renderer } from './api/renderer.ts';
import { RequestCounts } from './api/request-counts.ts';
import { resourceRoutes } from './api/resource-routes.ts';
import type { Route } from './api/route.ts';
import { routerOf } from './api/router.ts';
import { Pauses } from './builds/pauses.ts';
import { Changes } from './config/change.ts';
import { type Config, loadConfig } from './config/current.ts';
import { Draft } from './config/draft.ts';
import { usagesOf } from './config/usages.ts';
import { HealthMessages } from './health/messages.ts';
import { watchPlugins } from './health/missing-plugins.ts';
import { forgetChangedPassword, keepInitialPassword } from './initial-password.ts';
import { openCipher } from './kit/cipher.ts';
import type { Log } from './kit/log.ts';
import { Filters } from './notifications/filters.ts';
import { setPassword } from './plugins/bundled/password-file-edit.ts';
import { hashPassword } from './plugins/bundled/password-hash.ts';
import { PluginHost } from './plugins/host.ts';
import { bundledPlugins } from './plugins/installed.ts';
import { registry } from './resources/index.ts';
import { parametersUsed } from './resources/pipelines/parameters.ts';
import { stageNamesOf } from './resources/pipelines/stage-names.ts';
import type { Settings } from './settings.ts';
import type { Property } from './shape/properties.ts';
import { type Collection, type Kind, kindsOf, type Registry } from './shape/resource.ts';
import { revisionWriter } from './store/changes.ts';
import { takeDataDirectory } from './store/data-directory.ts';
import { migrate } from './store/migrate.ts';
import { openSqlite } from './store/sqlite.ts';
import { DIALECT_VERSION, readVersion } from './version.ts';

export interface RunningServer {
  readonly addresses: readonly string[];
  /** Set on the very first start. */
  readonly initialAdmin: { readonly password: string; readonly isGenerated: boolean } | undefined;
  stop(): Promise<void>;
}

export interface Extensions {
  readonly registry?: Registry;
  readonly routes?: readonly Route[];
}

export async function startServer(settings: Settings, log: Log, extensions: Extensions = {}): Promise<RunningServer> {
  const { dataDir } = settings;
  const directory = takeDataDirectory(dataDir);
  const database = openSqlite(join(dataDir, 'slipway.db'));
  try {
    await migrate(database.query);
    const cipher = openCipher(join(dataDir, 'cipher.key'));
    const kinds = kindsOf(extensions.registry ?? registry);
    const config = await loadConfig(kinds, database.query);
    const changes = new Changes(config, revisionWriter(database));
    const users = await Users.load(database);
    const tokens = await Tokens.load(database);
    const pauses = await Pauses.load(database);
    const plugins = new PluginHost(bundledPlugins, cipher, () => ({
      contextPath: settings.contextPath,
      secureSiteUrl: (config.of('siteUrls').find('')?.value.secureSiteUrl as string | undefined) || undefined,
    }));
    const authorizationHost = { directory: dataDir };
    const health = new HealthMessages();
    const access = new Access(config);
    const counts = new RequestCounts();
    const version = readVersion();

    changes.require(keepsAnAdmin(users));
    changes.require(keepsALogin((id) => plugins.authorization(id) !== undefined));
    await revokeOrphans(tokens, config, changes, (failure) =>
      log.error({ err: failure }, 'tokens of a deleted authorization configuration could not be revoked'),
    );
    if (config.revision > 0) await forgetChangedPassword(dataDir, ADMIN, PASSWORD_FILE);
    watchPlugins({
      config,
      health,
      seen: () => new Draft(config).seen,
      isInstalled: (id) => plugins.has(id),
      listen: (listener) => changes.listen(listener),
    });

    changes.listen(({ edits }) => {
      for (const { kind, key, after } of edits) {
        if (kind.name === 'pipelines' && !after)
          pauses.forget(key).catch((failure: unknown) => log.error({ err: failure }, 'a pause could not be removed'));
      }
    });
    const resourceParts = {
      access,
      config,
      changes,
      renderer: new Renderer(config),
      tools: { cipher, isSecretSetting: plugins.isSecretSetting.bind(plugins) },
      opinionsOf: plugins.opinions.bind(plugins),
    };
    const routes = withDocumentation(
      [
        ...resourceRoutes(kinds, resourceParts),
        verifyConnectionRoute(config.kinds.get('authConfigs')!, resourceParts, (entity) => {
          const settings = plugins.clearValues(entity.properties as readonly Property[]);
          return plugins.authorization(String(entity.pluginId))?.verifyConnection(settings, authorizationHost);
        }),
        ...pipelineRoutes(
          { pipelines: collectionNamed(config, 'pipelines'), groups: collectionNamed(config, 'pipelineGroups') },
          resourceParts,
          pauses,
        ),
        ...templateRoutes(
          { templates: collectionNamed(config, 'templates'), authorizations: collectionNamed(config, 'templateAuthorizations') },
          resourceParts,
          parametersUsed,
        ),
        scmUsagesRoute((name) => {
          const id = config.of('scms').idAt(name);
          if (!config.of('scms').find(id)) return undefined;
          return usagesOf(new Draft(config), 'scms', id, 'pipelines').map(({ group, id: pipeline }) => ({ group, pipeline }));
        }),
        packageUsagesRoute((id) =>
          usagesOf(new Draft(config), 'packages', id, 'pipelines').map(({ group, id: pipeline }) => ({ group, pipeline })),
        ),
        ...currentUserRoutes(users),
        ...userRoutes({ users, tokens, adminLogins: () => adminLogins(new Draft(config)), rolesOf: (login) => rolesOf(config, login) }),
        permissionsRoute(config, access),
        ...notificationFilterRoutes({
          filters: new Filters(database),
          isMailConfigured: () => config.of('mailServer').find('') !== undefined,
          stagesOf: (name) => stageNamesOf(new Draft(config), name),
        }),
        encryptRoute(cipher),
        ...pluginInfoRoutes(plugins.all),
        ...accessTokenRoutes(tokens, access),
        ...aboutRoutes({ version, dialect: DIALECT_VERSION, health }),
        metricsRoute(counts, config, settings.openMetrics),
        ...(extensions.routes ?? []),
      ],
      kinds,
      version.release,
      settings.contextPath,
    );
    const handler = handlerOf({
      find: routerOf(routes),
      authenticate: authenticator({
        config,
        users,
        tokens,
        host: authorizationHost,
        findPlugin: (id) => plugins.authorization(id),
        clearValues: (properties) => plugins.clearValues(properties),
        onBrokenSource: (authConfigId, failure) =>
          log.warn({ authConfigId, reason: String(failure) }, 'an authorization source could not be asked'),
      }),
      access,
      baseOf: baseUrls(settings),
      addressOf: settings.trustProxy ? forwardedAddress : ({ socket }: IncomingMessage) => socket.remoteAddress ?? '',
      contextPath: settings.contextPath,
      serverVersion: version.release,
      log,
      counts,
    });
    const lastUses = tokens.keepLastUses((failure) => log.error({ err: failure }, 'the last uses of tokens could not be written'));
    const listening = await listen(handler, settings);
    // Only a server that can be reached makes up a password: it is printed once.
    const initialAdmin = await firstStart(
      {
        config,
        changes,
        users,
        setPassword: async (file, login, password) => setPassword(join(dataDir, file), login, await hashPassword(password)),
        keepInitialPassword: (password) => keepInitialPassword(dataDir, password),
      },
      settings.adminPassword,
    ).catch(async (failure: unknown) => {
      await listening.stop();
      throw failure;
    });
    return {
      addresses: listening.addresses.map((address) => address + settings.contextPath),
      initialAdmin,
      stop: async () => {
        await listening.stop();
        await lastUses.stop();
        await database.close();
        directory.release();
      },
    };
  } catch (failure) {
    await database.close();
    directory.release();
    throw failure;
  }
}

function forwardedAddress({ headers, socket }: IncomingMessage): string {
  return (
    String(headers['x-forwarded-for'] ?? '')
      .split(',', 1)[0]!
      .trim() ||
    (socket.remoteAddress ?? '')
  );
}

function collectionNamed(config: Config, name: string): Kind & Collection {
  return config.kinds.get(name) as Kind & Collection;
}
