// Joins the parts to a server.
import { join, resolve } from 'node:path';
import { authenticator } from './access/authenticate.ts';
import { asksFrom, keepsALogin, keepsAnAdmin } from './access/conditions.ts';
import { ADMIN, firstStart, PASSWORD_FILE } from './access/first-start.ts';
import { Access } from './access/may.ts';
import { keepsIdentity } from './access/server-identity.ts';
import { revokeOrphans } from './access/token-upkeep.ts';
import { Tokens } from './access/tokens.ts';
import { Users } from './access/users.ts';
import { hasWayIn, type WayInParts } from './access/way-in.ts';
import { baseUrls } from './api/base-url.ts';
import { clientAddresses } from './api/client-address.ts';
import { aboutRoutes } from './api/endpoints/about.ts';
import { backupRoutes } from './api/endpoints/backups.ts';
import { configGitRoutes } from './api/endpoints/config-git.ts';
import { configImportRoute } from './api/endpoints/config-import.ts';
import { configPlanRoutes } from './api/endpoints/config-plan.ts';
import { configRevertRoute } from './api/endpoints/config-revert.ts';
import { entityRevertRoutes } from './api/endpoints/config-revert-entity.ts';
import { configXmlRoutes } from './api/endpoints/config-xml.ts';
import { configXmlSaveRoute } from './api/endpoints/config-xml-save.ts';
import { withDocumentation } from './api/endpoints/documentation.ts';
import { maintenanceRoutes } from './api/endpoints/maintenance.ts';
import { materialNotifyRoutes } from './api/endpoints/material-notify.ts';
import { materialRoutes } from './api/endpoints/materials.ts';
import { metricsRoute } from './api/endpoints/metrics.ts';
import { readinessRoute } from './api/endpoints/readiness.ts';
import { historyRoutes } from './api/endpoints/revisions.ts';
import { webhookSecretRoutes } from './api/endpoints/webhook-secret.ts';
import { webhookRoutes } from './api/endpoints/webhooks.ts';
import { handlerOf } from './api/handler.ts';
import { listen } from './api/listen.ts';
import { Renderer } from './api/renderer.ts';
import { RequestCounts } from './api/request-counts.ts';
import type { Route } from './api/route.ts';
import { routerOf } from './api/router.ts';
import { withSpaceGuard } from './api/space-guard.ts';
import { forgetPausesOfGone } from './builds/pause-upkeep.ts';
import { Pauses } from './builds/pauses.ts';
import { Changes } from './config/change.ts';
import { loadConfig } from './config/current.ts';
import { Draft } from './config/draft.ts';
import { keepsRemoteAsItIs } from './config-repos/read-only.ts';
import { withdrawWithDeleted } from './config-repos/withdraw.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { DISK_CHECK_MS, DiskWatch } from './disk/watch.ts';
import { HealthMessages } from './health/messages.ts';
import { watchPlugins } from './health/missing-plugins.ts';
import { Readiness } from './health/readiness.ts';
import { forgetChangedPassword, keepInitialPassword } from './initial-password.ts';
import type { Log } from './kit/log.ts';
import { type Job, PeriodicRunner } from './kit/periodic.ts';
import { backupCompletedMail, backupFailedMail, maintenanceEndedMail } from './mail/admin-texts.ts';
import { openMail } from './mail/open-mail.ts';
import { thisMachine } from './mail/this-machine.ts';
import { hindranceOf, MaintenanceMode } from './maintenance/mode.ts';
import { type BuildJobs, NO_BUILDS } from './maintenance/running-systems.ts';
import { StoredPeriod } from './maintenance/stored-period.ts';
import { houseRules } from './material-rules.ts';
import { openBackups } from './open-backups.ts';
import { openCipherOf } from './open-cipher.ts';
import { CONFIG_REPO_PLACES, openConfigRepos } from './open-config-repos.ts';
import { openDocument } from './open-document.ts';
import { openEventLog } from './open-event-log.ts';
import { openEvents } from './open-events.ts';
import { openForeignPlugins } from './open-foreign-plugins.ts';
import { openHistory } from './open-history.ts';
import { MATERIAL_PLACES, openMaterials } from './open-materials.ts';
import { peopleRoutes } from './people-routes.ts';
import { setPassword } from './plugins/bundled/password-file-edit.ts';
import { hashPassword } from './plugins/bundled/password-hash.ts';
import { PluginHost } from './plugins/host.ts';
import { bundledPlugins } from './plugins/installed.ts';
import { registry } from './resources/index.ts';
import type { Settings } from './settings.ts';
import { kindsOf, type Registry } from './shape/resource.ts';
import { mustBeWhole, takeDataDirectory } from './store/data-directory.ts';
import { lastChange } from './store/last-change.ts';
import { migrate } from './store/migrate.ts';
import { PlanTable } from './store/plans.ts';
import { openSqlite } from './store/sqlite.ts';
import { DIALECT_VERSION, fullVersion, readVersion } from './version.ts';

export interface RunningServer {
  readonly addresses: readonly string[];
  /** Set on the very first start. */
  readonly initialAdmin: { readonly password: string; readonly isGenerated: boolean } | undefined;
  /** By a setting, or because it was meant to outlast the start. */
  readonly startsInMaintenance: boolean;
  stop(): Promise<void>;
}

export interface Extensions {
  readonly registry?: Registry;
  readonly routes?: readonly Route[];
  readonly periodicJobs?: readonly Job[];
  readonly builds?: BuildJobs;
  /** For the password of the administrator at the first start. */
  readonly hashPassword?: (password: string) => Promise<string>;
}

const LAST_USE_PERIOD_MS = 60_000;
const FIRST_PASSWORD_PERIOD_MS = 10_000;

export async function startServer(settings: Settings, log: Log, extensions: Extensions = {}): Promise<RunningServer> {
  const { dataDir } = settings;
  const hash = extensions.hashPassword ?? hashPassword;
  mustBeWhole(dataDir);
  const directory = takeDataDirectory(dataDir);
  const database = openSqlite(join(dataDir, 'slipway.db'));
  const runner = new PeriodicRunner({
    places: { ...MATERIAL_PLACES, ...CONFIG_REPO_PLACES },
    onFailure: (job, failure, failuresInARow) => log.error({ job, failuresInARow, err: failure }, 'periodic work failed'),
  });
  const stopping = new AbortController();
  try {
    await migrate(database.query);
    const kinds = kindsOf(extensions.registry ?? registry);
    const config = await loadConfig(kinds, database.query);
    const cipher = openCipherOf(dataDir, config);
    const eventLog = await openEventLog({ database, kinds, log, runner });
    const changes = new Changes(config, eventLog.commit);
    const users = await Users.load(database);
    const tokens = await Tokens.load(database, eventLog.write);
    const pauses = await Pauses.load(database);
    const foreign = openForeignPlugins(dataDir, log);
    const plugins = new PluginHost([...bundledPlugins, ...foreign.plugins], cipher, () => ({
      contextPath: settings.contextPath,
      secureSiteUrl: (config.of('siteUrls').find('')?.value.secureSiteUrl as string | undefined) || undefined,
    }));
    config.askPlugin = plugins.opinionInside.bind(plugins);
    config.isPartOfIdentity = plugins.isPartOfIdentity.bind(plugins);
    const authorizationHost = { directory: dataDir };
    const health = new HealthMessages();
    foreign.tell(health);
    const access = new Access(config);
    const counts = new RequestCounts();
    const version = readVersion();
    const mail = await openMail({ database, config, changes, cipher, health, log, smtp: settings.mail });
    const { ip } = thisMachine();
    const maintenance = await MaintenanceMode.load(
      {
        stored: new StoredPeriod(database),
        runner,
        onSwitched: eventLog.tell.maintenanceSwitched,
        onEnded: (period) => {
          log.info({ maintenance: period }, 'maintenance mode has ended by itself');
          return mail.adminMails.tell(maintenanceEndedMail({ ip, ...period }));
        },
        onFailure: (failure) => log.error({ err: failure }, 'nobody could be told that maintenance mode has ended'),
      },
      { startsOn: settings.maintenance },
    );
    const disk = new DiskWatch({
      folders: {
        artifacts: () => resolve(dataDir, String(config.of('artifactsConfig').find('')?.value.artifactsDir ?? 'artifacts')),
        database: () => dataDir,
      },
      limits: settings.disk,
      health,
      mails: mail.adminMails,
      ip,
    });
    runner.add({ name: 'free disk space', when: { every: DISK_CHECK_MS, firstAfter: 0 }, runsWhilePaused: true, run: () => disk.check() });
    const document = openDocument({ dataDir, config, changes, health, log });
    const readiness = new Readiness(() => hindranceOf(maintenance));

    const sources: Pick<WayInParts, 'host' | 'findPlugin' | 'clearValues'> = {
      host: authorizationHost,
      findPlugin: (id) => plugins.authorization(id),
      clearValues: (properties) => plugins.clearValues(properties),
    };
    changes.require(keepsAnAdmin(users));
    changes.require(keepsALogin(asksFrom(sources)));
    changes.require(keepsIdentity);
    changes.complete(keepsRemoteAsItIs);
    changes.complete(withdrawWithDeleted);
    await revokeOrphans(tokens, config, changes, (failure) =>
      log.error({ err: failure }, 'tokens of a deleted authorization configuration could not be revoked'),
    );
    await forgetPausesOfGone(pauses, config, changes, (failure) => log.error({ err: failure }, 'a pause could not be removed'));
    watchPlugins({
      config,
      health,
      seen: () => new Draft(config).seen,
      isInstalled: (id) => plugins.has(id),
      opinionsOf: plugins.opinions.bind(plugins),
      listen: (listener) => changes.listen(listener),
    });

    const backups = await openBackups({
      dataDir,
      database,
      config,
      changes,
      cipher,
      runner,
      health,
      log,
      version: fullVersion(version),
      mails: {
        completed: (facts) => mail.adminMails.statementsFor(backupCompletedMail({ ip, ...facts })),
        failed: (facts) => mail.adminMails.statementsFor(backupFailedMail({ ip, ...facts })),
        wake: () => mail.adminMails.wake(),
      },
      onStarted: eventLog.tell.backupStarted,
      onEnded: eventLog.tell.backupEnded,
      historyUpToDate: () => document.projection.upToDate(),
    });

    const materialRules = await houseRules(dataDir, settings.materialTls);
    const materials = await openMaterials({
      dataDir,
      rules: materialRules,
      database,
      config,
      changes,
      cipher,
      plugins,
      runner,
      health,
      log,
      interval: settings.materialInterval,
      hasRoom: () => !disk.isFull('database'),
      tell: eventLog.tell,
    });

    const events = openEvents(eventLog, {
      config,
      changes,
      cipher,
      health,
      access,
      users,
      tokens,
      log,
      allowsPrivate: settings.allowPrivateWebhooks,
      version: version.release,
    });

    const history = await openHistory({ database, write: eventLog.write, config, runner, days: settings.historyDays });
    const resourceParts = {
      access,
      config,
      changes,
      renderer: new Renderer(config),
      past: history.past,
      changeLog: history.log,
      tools: { cipher, isSecretSetting: plugins.isSecretSetting.bind(plugins) },
      opinionsOf: plugins.opinions.bind(plugins),
    };
    const revertParts = { ...resourceParts, log: history.log, keptFrom: () => history.retention.keptFrom };
    const configRepos = await openConfigRepos({
      ...resourceParts,
      database,
      cipher,
      plugins,
      runner,
      health,
      materials: materials.ofConfigRepos,
      log,
      isPaused: () => maintenance.isOn,
      tell: eventLog.tell,
    });
    const routes = withDocumentation(
      withSpaceGuard(
        [
          ...configurationRoutes(resourceParts, { cipher, plugins, pauses, authorizationHost, smtp: settings.mail, log, materialRules }),
          ...materialRoutes({ ...resourceParts, ...materials }),
          ...materialNotifyRoutes(materials),
          ...webhookRoutes({ ...materials, updateConfigRepo: configRepos.updateConfigRepo }),
          ...configRepos.routes,
          ...webhookSecretRoutes(config.kinds.get('serverIdentity')!, resourceParts),
          ...peopleRoutes({ config, database, access, users, tokens }),
          ...backupRoutes({
            contextPath: settings.contextPath,
            refuseWhenFull: () => disk.refuseWhenFull(['database', 'artifacts']),
            request: (user) => backups.request(user, 'USER'),
            running: () => backups.running,
            find: (id) => backups.find(id),
            list: (most, before) => backups.list(most, before),
          }),
          ...events.routes,
          ...maintenanceRoutes({ mode: maintenance, runner, builds: extensions.builds ?? NO_BUILDS, stopping: stopping.signal }),
          readinessRoute(readiness),
          ...historyRoutes({ config, ...history }),
          ...configPlanRoutes({ ...resourceParts, plans: new PlanTable(database) }),
          configRevertRoute(revertParts),
          ...entityRevertRoutes(revertParts),
          ...configXmlRoutes({ documents: document.documents, past: history.past }),
          ...configGitRoutes({
            directory: document.repository,
            upToDate: () => document.projection.upToDate(),
            suspect: () => document.suspectHistory(),
          }),
          configXmlSaveRoute({
            ...resourceParts,
            documents: document.documents,
            lastChange: (kind, key) => lastChange(database.query, kind, key),
          }),
          configImportRoute(resourceParts),
          ...aboutRoutes({ version, dialect: DIALECT_VERSION, health }),
          metricsRoute(counts, config, settings.openMetrics),
          ...(extensions.routes ?? []),
        ],
        disk,
      ),
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
        ...sources,
        onBrokenSource: (authConfigId, failure) =>
          log.warn({ authConfigId, reason: String(failure) }, 'an authorization source could not be asked'),
        onFailedLogin: eventLog.tell.failedLogin,
      }),
      access,
      maintenance,
      readiness,
      baseOf: baseUrls(settings),
      addressOf: clientAddresses(settings),
      contextPath: settings.contextPath,
      serverVersion: version.release,
      log,
      counts,
    });
    runner.add({
      name: 'last uses of tokens',
      when: { every: LAST_USE_PERIOD_MS },
      runsWhilePaused: true,
      run: () => tokens.writeLastUses(),
    });
    runner.add({
      name: 'the note of the first password',
      when: { every: FIRST_PASSWORD_PERIOD_MS, firstAfter: 0 },
      runsWhilePaused: true,
      run: forgetChangedPassword(dataDir, ADMIN, PASSWORD_FILE),
    });
    for (const job of extensions.periodicJobs ?? []) runner.add(job);
    const listening = await listen(handler, settings);
    // Only a server that can be reached makes up a password: it is printed once.
    const initialAdmin = await firstStart(
      {
        config,
        changes,
        users,
        tools: resourceParts.tools,
        hasWayIn: () => hasWayIn({ config, users, ...sources }),
        setPassword: async (file, login, password) => setPassword(join(dataDir, file), login, await hash(password)),
        keepInitialPassword: (password) => keepInitialPassword(dataDir, password),
      },
      settings.adminPassword,
    ).catch(async (failure: unknown) => {
      await listening.stop();
      throw failure;
    });
    readiness.phase = 'running';
    await document.start();
    mail.outbox.start();
    events.start();
    configRepos.start().catch((failure: unknown) => log.error({ err: failure }, 'config repos could not be taken up again'));
    return {
      addresses: listening.addresses.map((address) => address + settings.contextPath),
      initialAdmin,
      startsInMaintenance: maintenance.isOn,
      stop: async () => {
        readiness.phase = 'stopping';
        stopping.abort();
        await Promise.all([listening.stop(), events.stopStreams()]);
        await backups.stop();
        await runner.stop();
        await configRepos.close();
        await materials
          .close()
          .catch((failure: unknown) => log.error({ err: failure }, 'the ends of material updates could not be written'));
        await mail.outbox.stop();
        await document.close();
        await tokens
          .writeLastUses()
          .catch((failure: unknown) => log.error({ err: failure }, 'the last uses of tokens could not be written'));
        await events.stop();
        await database.close();
        directory.release();
      },
    };
  } catch (failure) {
    await runner.stop();
    await database.close();
    directory.release();
    throw failure;
  }
}
