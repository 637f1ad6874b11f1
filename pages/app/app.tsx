// The frame around all pages: header, login, messages. Which address shows which page is in routes.tsx.

import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { BASE } from '../api/address.ts';
import { whenSignedOut } from '../api/client.ts';
import { closeLive, connection, openLive, whenMissed, whenOpened, whenReturned } from '../api/live/live.ts';
import { QueriesProvider, queries, reloadAll, reloadRead, retryFailed } from '../api/queries.ts';
import { loadSession, onUserChange, refreshSession, sessionEnded, sessionKey, sessionState } from '../api/session.ts';
import { Messages } from '../kit/messages.tsx';
import { pageOf, Route, Router, Switch, useEncodedLocation, useEncodedSearch, useLocation } from '../kit/routing.ts';
import { Loading } from '../kit/states.tsx';
import { LoginPage } from '../login/login-page.tsx';
import { Header } from './header.tsx';
import { MaintenanceBanner } from './maintenance-banner.tsx';
import { NotFound } from './not-found.tsx';
import { ROUTES } from './routes.tsx';

whenSignedOut(sessionEnded);
whenMissed(() => {
  void refreshSession();
  reloadAll();
});
whenOpened(() => {
  void refreshSession();
  reloadRead();
});
whenReturned(retryFailed);
/** How many users came after the first one in this window: what the one before saw is drawn anew. */
const nextUsers = signal(0);
onUserChange(() => {
  queries.clear();
  nextUsers.value++;
});

export function App() {
  return (
    <QueriesProvider client={queries}>
      <Router base={BASE.replace(/\/$/, '')} hook={useEncodedLocation} searchHook={useEncodedSearch}>
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
    if (state.is === 'signed-in') openLive(sessionKey(state.session));
    else closeLive();
    if (state.is === 'signed-out' && !isAtLogin)
      navigate(pageOf.login(location + window.location.search + window.location.hash), { replace: true });
  }, [state.is, isAtLogin]);
  // The server has ended the connection because it does not know this session any more. Another window may have begun the next one.
  useEffect(() => {
    if (connection.value !== 'signed-out' || state.is !== 'signed-in') return;
    closeLive();
    void loadSession().then(() => {
      if (sessionState.value.is === 'signed-in') openLive(sessionKey(sessionState.value.session));
    });
  }, [connection.value]);
  if (state.is === 'loading' && isAtLogin) return <Loading />;
  if (state.is === 'unavailable') return <Unavailable message={state.message} />;
  if (isAtLogin || state.is === 'signed-out') return <LoginPage />;
  // The page is drawn while the session still loads: most of the time the user is signed in.
  return (
    <Fragment key={nextUsers.value}>
      <SkipLink />
      <Header />
      <MaintenanceBanner />
      <main id="main" tabIndex={-1}>
        <Pages />
      </main>
    </Fragment>
  );
}

/** Followed by the browser, `#main` would lead to the first page: addresses are relative to where the server is mounted. */
function SkipLink() {
  const skip = (event: Event): void => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  };
  return (
    // biome-ignore lint/a11y/useValidAnchor: it is a link within the page, as screen readers expect it
    <a class="skip-link" href="#main" onClick={skip}>
      Skip to the content
    </a>
  );
}

function Pages() {
  return (
    <Switch>
      {ROUTES.map(({ route }) => route)}
      <Route component={NotFound} />
    </Switch>
  );
}

function Unavailable({ message }: { readonly message: string }) {
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
