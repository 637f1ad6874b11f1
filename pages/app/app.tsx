// The frame around all pages, and which address shows which page.
import { useEffect } from 'preact/hooks';
import { BASE } from '../api/address.ts';
import { whenSignedOut } from '../api/client.ts';
import { closeLive, connection, openLive, whenMissed, whenReturned } from '../api/live/live.ts';
import { QueriesProvider, queries, reloadAll, retryFailed } from '../api/queries.ts';
import { forgetWithUser, loadSession, sessionEnded, sessionState } from '../api/session.ts';
import { Messages } from '../kit/messages.tsx';
import { pageOf, Route, Router, Switch, useLocation } from '../kit/routing.ts';
import { Loading } from '../kit/states.tsx';
import { LoginPage } from '../login/login-page.tsx';
import { Header } from './header.tsx';
import { lazyPage } from './lazy-page.tsx';
import { NotFound } from './not-found.tsx';

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
const HealthPage = lazyPage(async () => (await import('../health/health-page.tsx')).HealthPage);

whenSignedOut(sessionEnded);
whenMissed(() => reloadAll());
whenReturned(retryFailed);
forgetWithUser(() => queries.clear());

export function App() {
  useEffect(() => void loadSession(), []);
  return (
    <QueriesProvider client={queries}>
      <Router base={BASE.replace(/\/$/, '')}>
        <Content />
      </Router>
      <Messages />
    </QueriesProvider>
  );
}

function Content() {
  const [location, navigate] = useLocation();
  const state = sessionState.value;
  const isAtLogin = location === pageOf.login();
  useEffect(() => {
    if (state.is === 'signed-in') openLive();
    else closeLive();
    if (state.is === 'signed-out' && !isAtLogin)
      navigate(pageOf.login(location + window.location.search + window.location.hash), { replace: true });
  }, [state.is, isAtLogin]);
  // The server has ended the connection because it does not know this session any more. Another window may have begun the next one.
  useEffect(() => {
    if (connection.value !== 'signed-out' || state.is !== 'signed-in') return;
    closeLive();
    void loadSession().then(() => {
      if (sessionState.value.is === 'signed-in') openLive();
    });
  }, [connection.value]);
  if (state.is === 'loading') return <Loading />;
  if (state.is === 'away') return <Away message={state.message} />;
  if (isAtLogin || state.is === 'signed-out') return <LoginPage />;
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Pages />
      </main>
    </>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/pipelines" component={DashboardPage} />
      <Route path="/pipeline/activity/:name" component={ActivityPage} />
      <Route path="/compare/:name/:from/with/:to" component={ComparePage} />
      <Route path="/tab/build/detail/:pipeline/:counter/:stage/:stageCounter/:job" component={JobPage} />
      <Route path="/pipelines/value_stream_map/:name/:counter" component={RunMapPage} />
      <Route path="/pipelines/:pipeline/:counter/:stage/:stageCounter" component={StagePage} />
      <Route path="/materials/value_stream_map/:fingerprint/:revision" component={MaterialMapPage} />
      <Route path="/materials" component={MaterialsPage} />
      <Route path="/agents" component={AgentsPage} />
      <Route path="/admin/health" component={HealthPage} />
      <Route path="/about" component={AboutPage} />
      <Route component={NotFound} />
    </Switch>
  );
}

function Away({ message }: { readonly message: string }) {
  useEffect(() => {
    const timer = setInterval(() => void loadSession(), 3_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <main class="failed">
      <h1>Slipway is away</h1>
      <p role="alert">{message} This page tries again every few seconds.</p>
    </main>
  );
}
