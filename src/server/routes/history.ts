// The routes about the configuration as a whole: its history, plans and reverts, and its document.
import { configGitRoutes } from '../../api/endpoints/config-git/routes.ts';
import { configImportRoute } from '../../api/endpoints/config-xml/import.ts';
import { configXmlRoutes } from '../../api/endpoints/config-xml/routes.ts';
import { configXmlSaveRoute } from '../../api/endpoints/config-xml/save.ts';
import { configPlanRoutes } from '../../api/endpoints/plans/routes.ts';
import { revertRoutes } from '../../api/endpoints/revert/routes.ts';
import { revisionRoutes } from '../../api/endpoints/revisions/routes.ts';
import type { ResourceParts } from '../../api/engine/resource-parts.ts';
import type { Route } from '../../api/engine/route.ts';
import type { Database } from '../../store/database.ts';
import { lastChange } from '../../store/revisions/last-change.ts';
import { PlanTable } from '../../store/revisions/plans.ts';
import type { OpenConfiguration } from '../open/configuration.ts';
import type { OpenDocument } from '../open/document.ts';
import type { OpenHistory } from '../open/history.ts';

interface Parts {
  readonly database: Database;
  readonly history: OpenHistory;
  readonly document: OpenDocument;
  readonly configuration: Pick<OpenConfiguration, 'importedKeys'>;
}

export function historyRoutes(resourceParts: ResourceParts, { database, history, document, configuration }: Parts): Route[] {
  const { documents, projection, repository } = document;
  return [
    ...revisionRoutes({ config: resourceParts.config, ...history }),
    ...configPlanRoutes({ ...resourceParts, plans: new PlanTable(database) }),
    ...revertRoutes({ ...resourceParts, log: history.log, keptFrom: () => history.retention.keptFrom }),
    ...configXmlRoutes({ documents, past: history.past }),
    ...configGitRoutes({
      directory: repository,
      upToDate: () => projection.upToDate(),
      suspect: () => document.suspectHistory(),
    }),
    configXmlSaveRoute({ ...resourceParts, documents, lastChange: (kind, key) => lastChange(database.query, kind, key) }),
    configImportRoute({ ...resourceParts, importedKeys: configuration.importedKeys }),
  ];
}
