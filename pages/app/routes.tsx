// Which address shows which page. The code of a page is loaded when it is first opened.
import { BASE } from '../api/address.ts';
import { readRows } from '../dashboard/rows.ts';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { Route } from '../kit/routing.ts';
import { lazyPage } from './lazy-page.tsx';

const BelowAdmin = () => <AdminBreadcrumb />;

const DashboardPage = lazyPage(async () => (await import('../dashboard/dashboard-page.tsx')).DashboardPage);
const ActivityPage = lazyPage(async () => (await import('../activity/activity-page.tsx')).ActivityPage);
const ComparePage = lazyPage(async () => (await import('../compare/compare-page.tsx')).ComparePage);
const JobPage = lazyPage(async () => (await import('../job/job-page.tsx')).JobPage);
const StagePage = lazyPage(async () => (await import('../stage/stage-page.tsx')).StagePage);
const RunMapPage = lazyPage(async () => (await import('../map/map-page.tsx')).RunMapPage);
const MaterialMapPage = lazyPage(async () => (await import('../map/map-page.tsx')).MaterialMapPage);
const AgentsPage = lazyPage(async () => (await import('../agents/agents-page.tsx')).AgentsPage);
const MaterialsPage = lazyPage(async () => (await import('../materials/materials-page.tsx')).MaterialsPage);
const AboutPage = lazyPage(async () => (await import('../about/about-page.tsx')).AboutPage);
const ChangesPage = lazyPage(async () => (await import('../changes/changes-page.tsx')).ChangesPage);
const EntityPage = lazyPage(async () => (await import('../changes/entity-page.tsx')).EntityPage);
const RevisionPage = lazyPage(async () => (await import('../changes/revision-page.tsx')).RevisionPage);
const PlanPage = lazyPage(async () => (await import('../plan/plan-page.tsx')).PlanPage);
const ConfigXmlPage = lazyPage(async () => (await import('../config-xml/config-xml-page.tsx')).ConfigXmlPage);
const HealthPage = lazyPage(async () => (await import('../health/health-page.tsx')).HealthPage);
const TokensPage = lazyPage(async () => (await import('../tokens/tokens-page.tsx')).TokensPage);
const AllTokensPage = lazyPage(async () => (await import('../tokens/all-tokens-page.tsx')).AllTokensPage, BelowAdmin);
const AllSessionsPage = lazyPage(async () => (await import('../tokens/all-sessions-page.tsx')).AllSessionsPage, BelowAdmin);
const AccountsPage = lazyPage(async () => (await import('../tokens/accounts-page.tsx')).AccountsPage, BelowAdmin);
const UsersPage = lazyPage(async () => (await import('../users/users-page.tsx')).UsersPage, BelowAdmin);
const BackupPage = lazyPage(async () => (await import('../backup/backup-page.tsx')).BackupPage, BelowAdmin);
const MaintenancePage = lazyPage(async () => (await import('../maintenance/maintenance-page.tsx')).MaintenancePage, BelowAdmin);
const WebhooksPage = lazyPage(async () => (await import('../webhooks/webhooks-page.tsx')).WebhooksPage, BelowAdmin);
const EventsPage = lazyPage(async () => (await import('../events/events-page.tsx')).EventsPage, BelowAdmin);
const NotificationsPage = lazyPage(async () => (await import('../notifications/notifications-page.tsx')).NotificationsPage);
const ReplicasPage = lazyPage(async () => (await import('../replicas/replicas-page.tsx')).ReplicasPage, BelowAdmin);
const AdminPage = lazyPage(async () => (await import('../admin/admin-page.tsx')).AdminPage);
const AdminPipelinesPage = lazyPage(
  async () => (await import('../admin-pipelines/admin-pipelines-page.tsx')).AdminPipelinesPage,
  BelowAdmin,
);
const EditPipelinePage = lazyPage(async () => (await import('../pipeline-editor/edit-pipeline-page.tsx')).EditPipelinePage);
const EditTemplatePage = lazyPage(async () => (await import('../pipeline-editor/edit-template-page.tsx')).EditTemplatePage);
const NewPipelinePage = lazyPage(async () => (await import('../new-pipeline/new-pipeline-page.tsx')).NewPipelinePage);
const TemplatesPage = lazyPage(async () => (await import('../templates/templates-page.tsx')).TemplatesPage, BelowAdmin);
const EnvironmentsPage = lazyPage(async () => (await import('../environments/environments-page.tsx')).EnvironmentsPage, BelowAdmin);
const EditEnvironmentPage = lazyPage(async () => (await import('../environments/edit-environment-page.tsx')).EditEnvironmentPage);
const ConfigReposPage = lazyPage(async () => (await import('../config-repos/config-repos-page.tsx')).ConfigReposPage, BelowAdmin);
const ConfigRepoPage = lazyPage(async () => (await import('../config-repos/config-repo-page.tsx')).ConfigRepoPage);
const NewConfigRepoPage = lazyPage(async () => (await import('../config-repos/edit-config-repo-page.tsx')).NewConfigRepoPage);
const EditConfigRepoPage = lazyPage(async () => (await import('../config-repos/edit-config-repo-page.tsx')).EditConfigRepoPage);
const PreflightPage = lazyPage(async () => (await import('../config-repos/preflight-page.tsx')).PreflightPage);

/** Loads the code of the dashboard, and its rows beside it. */
async function preloadDashboard(): Promise<void> {
  await Promise.all([DashboardPage.preload(), readRows()]);
}

export const ROUTES = [
  { route: <Route path="/pipelines" component={DashboardPage} />, preload: preloadDashboard },
  { route: <Route path="/pipeline/activity/:name" component={ActivityPage} />, preload: ActivityPage.preload },
  { route: <Route path="/compare/:name/:from/with/:to" component={ComparePage} />, preload: ComparePage.preload },
  { route: <Route path="/tab/build/detail/:pipeline/:counter/:stage/:stageCounter/:job" component={JobPage} />, preload: JobPage.preload },
  { route: <Route path="/pipelines/value_stream_map/:name/:counter" component={RunMapPage} />, preload: RunMapPage.preload },
  { route: <Route path="/pipelines/:pipeline/:counter/:stage/:stageCounter" component={StagePage} />, preload: StagePage.preload },
  {
    route: <Route path="/materials/value_stream_map/:fingerprint/:revision" component={MaterialMapPage} />,
    preload: MaterialMapPage.preload,
  },
  { route: <Route path="/materials" component={MaterialsPage} />, preload: MaterialsPage.preload },
  { route: <Route path="/agents" component={AgentsPage} />, preload: AgentsPage.preload },
  { route: <Route path="/admin/changes" component={ChangesPage} />, preload: ChangesPage.preload },
  { route: <Route path="/admin/changes/entity" component={EntityPage} />, preload: EntityPage.preload },
  { route: <Route path="/admin/changes/:revision" component={RevisionPage} />, preload: RevisionPage.preload },
  { route: <Route path="/admin/plan" component={PlanPage} />, preload: PlanPage.preload },
  { route: <Route path="/admin/config_xml" component={ConfigXmlPage} />, preload: ConfigXmlPage.preload },
  { route: <Route path="/admin/health" component={HealthPage} />, preload: HealthPage.preload },
  { route: <Route path="/admin/pipelines" component={AdminPipelinesPage} />, preload: AdminPipelinesPage.preload },
  { route: <Route path="/admin/pipelines/:name/edit" component={EditPipelinePage} />, preload: EditPipelinePage.preload },
  { route: <Route path="/admin/templates/:name/edit" component={EditTemplatePage} />, preload: EditTemplatePage.preload },
  { route: <Route path="/admin/pipelines/new" component={NewPipelinePage} />, preload: NewPipelinePage.preload },
  { route: <Route path="/admin/templates" component={TemplatesPage} />, preload: TemplatesPage.preload },
  { route: <Route path="/admin/environments" component={EnvironmentsPage} />, preload: EnvironmentsPage.preload },
  { route: <Route path="/admin/environments/:name/edit" component={EditEnvironmentPage} />, preload: EditEnvironmentPage.preload },
  { route: <Route path="/admin/config_repos" component={ConfigReposPage} />, preload: ConfigReposPage.preload },
  { route: <Route path="/admin/config_repos/new" component={NewConfigRepoPage} />, preload: NewConfigRepoPage.preload },
  { route: <Route path="/admin/config_repos/preflight" component={PreflightPage} />, preload: PreflightPage.preload },
  { route: <Route path="/admin/config_repos/:id/status" component={ConfigRepoPage} />, preload: ConfigRepoPage.preload },
  { route: <Route path="/admin/config_repos/:id/edit" component={EditConfigRepoPage} />, preload: EditConfigRepoPage.preload },
  { route: <Route path="/about" component={AboutPage} />, preload: AboutPage.preload },
  { route: <Route path="/access_tokens" component={TokensPage} />, preload: TokensPage.preload },
  { route: <Route path="/admin/admin_access_tokens" component={AllTokensPage} />, preload: AllTokensPage.preload },
  { route: <Route path="/admin/sessions" component={AllSessionsPage} />, preload: AllSessionsPage.preload },
  { route: <Route path="/admin/service_accounts" component={AccountsPage} />, preload: AccountsPage.preload },
  { route: <Route path="/admin/users" component={UsersPage} />, preload: UsersPage.preload },
  { route: <Route path="/admin/backup" component={BackupPage} />, preload: BackupPage.preload },
  { route: <Route path="/admin/maintenance_mode" component={MaintenancePage} />, preload: MaintenancePage.preload },
  { route: <Route path="/admin/webhooks" component={WebhooksPage} />, preload: WebhooksPage.preload },
  { route: <Route path="/admin/events" component={EventsPage} />, preload: EventsPage.preload },
  { route: <Route path="/preferences/notifications" component={NotificationsPage} />, preload: NotificationsPage.preload },
  { route: <Route path="/admin/replicas" component={ReplicasPage} />, preload: ReplicasPage.preload },
  // The last route: resources without a page of their own have a form that the server describes.
  { route: <Route path="/admin/*?" component={AdminPage} />, preload: AdminPage.preload },
];

/** Loads the code of the page of this address while the session is read: one after the other takes longer. */
export async function preloadPage(): Promise<void> {
  const location = `/${window.location.pathname.slice(BASE.length)}`;
  const isHere = (path: string): boolean =>
    new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('/*?', '(?:/.*)?')}/?$`, 'i').test(location);
  await ROUTES.find(({ route }) => isHere(route.props.path))?.preload();
}
