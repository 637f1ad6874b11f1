// The bar on top of every page.
import { useState } from 'preact/hooks';
import { addressOf } from '../api/address.ts';
import { connection, lostAt } from '../api/live/live.ts';
import { useApi } from '../api/queries.ts';
import { currentSession, type Session, signOut, viewsAdmin } from '../api/session.ts';
import { Menu, type MenuItem } from '../kit/dialog/menu.tsx';
import { Link } from '../kit/link.tsx';
import { runAction } from '../kit/messages.tsx';
import { pageOf, useLocation } from '../kit/routing.ts';
import { useShortcuts } from '../kit/shortcuts.ts';
import { durationText, now } from '../kit/text/time.ts';
import { Help } from './help.tsx';
import { PaletteOpener } from './palette-opener.tsx';
import { chooseDensity, chooseTheme, density, theme } from './preferences.ts';

const PAGES = [
  { label: 'Pipelines', href: pageOf.dashboard(), keys: 'g p', isHere: /^\/(pipeline|compare|tab)/ },
  { label: 'Materials', href: pageOf.materials(), keys: 'g m', isHere: /^\/materials/ },
  { label: 'Agents', href: pageOf.agents(), keys: 'g a', isHere: /^\/agents/ },
] as const;
const CHANGES = { label: 'Changes', href: pageOf.changes(), keys: 'g c', isHere: /^\/admin\/(changes|plan|config_xml)/ };
const ADMIN = { label: 'Admin', href: pageOf.admin(), keys: 'g s', isHere: /^\/admin(?!\/(health|changes|plan|config_xml))/ };

export function Header() {
  const [location, navigate] = useLocation();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const session = currentSession();
  const pages = [...PAGES, ...(session?.is_admin ? [CHANGES] : []), ...(viewsAdmin(session) ? [ADMIN] : [])];
  const commands = commandsOf(() => setIsHelpOpen(true));
  useShortcuts([
    ...pages.map(({ label, href, keys }) => ({ keys, description: `Go to ${label}`, run: () => navigate(href) })),
    { keys: 'g h', description: 'Go to Health', run: () => navigate(pageOf.health()) },
    { keys: '?', description: 'Show these keys', run: () => setIsHelpOpen(true) },
  ]);
  return (
    <>
      <header class="header">
        <Link href={pageOf.dashboard()} class="brand" aria-label="Slipway, all pipelines">
          Slipway
        </Link>
        <nav aria-label="Pages">
          {pages.map(({ label, href, isHere }) => (
            <Link key={label} href={href} aria-current={isHere.test(location) ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <span class="grow" />
        <ConnectionState />
        <PaletteOpener commands={[...commands, ...leaving(currentSession())]} />
        <HealthBadge />
        <UserMenu commands={commands} open={navigate} />
      </header>
      {isHelpOpen && <Help onClose={() => setIsHelpOpen(false)} />}
    </>
  );
}

/** Shows a text only while there is no connection. */
function ConnectionState() {
  return (
    <span role="status" class="connection">
      {connection.value === 'connecting' && (
        <span class="late">{lostAt.value === undefined ? 'Connecting …' : reconnectingText(lostAt.value, now.value)}</span>
      )}
    </span>
  );
}

function reconnectingText(since: number, present: number): string {
  return `Reconnecting … What you see is ${durationText(Math.max(1_000, present - since))} old.`;
}

interface HealthMessage {
  readonly level: 'ERROR' | 'WARNING';
}

function HealthBadge() {
  const { data = [] } = useApi<readonly HealthMessage[]>('/api/server_health_messages', 1, { changedBy: ({ kind }) => kind === 'health' });
  const errors = data.filter(({ level }) => level === 'ERROR').length;
  const warnings = data.length - errors;
  if (data.length === 0) return null;
  const parts = [
    errors > 0 && `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    warnings > 0 && `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
  ];
  return (
    <Link href={pageOf.health()} class={errors > 0 ? 'badge is-failed' : 'badge is-warning'}>
      {parts.filter((part) => part !== false).join(', ')}
    </Link>
  );
}

function UserMenu({ commands, open }: { readonly commands: readonly MenuItem[]; readonly open: (page: string) => void }) {
  const session = currentSession();
  const items = [
    ...commands,
    { label: 'Access tokens and sessions', run: () => open(pageOf.tokens()) },
    { label: 'Notifications', run: () => open(pageOf.notifications()) },
    { label: 'About this server', run: () => open(pageOf.about()) },
    ...leaving(session),
  ];
  return (
    <Menu label={session === undefined || session.anonymous ? 'Preferences' : `${session.display_name}: preferences`} items={items}>
      <span class="user-name">{session === undefined || session.anonymous ? '☰' : session.display_name}</span>
      <span class="user-icon">☰</span> ▾
    </Menu>
  );
}

/** The items of the menu that are not links to pages. */
function commandsOf(openHelp: () => void): readonly MenuItem[] {
  const isDark = theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  return [
    { label: isDark ? 'Light colours' : 'Dark colours', run: () => chooseTheme(isDark ? 'light' : 'dark') },
    { label: 'Colours of the system', run: () => chooseTheme('system') },
    density.value === 'dense'
      ? { label: 'Comfortable rows', run: () => chooseDensity('comfortable') }
      : { label: 'Dense rows', run: () => chooseDensity('dense') },
    { label: 'Keyboard shortcuts', run: openHelp },
    { label: 'API documentation', run: () => window.open(addressOf('/api/docs'), '_blank', 'noopener') },
  ];
}

function leaving(session: Session | undefined): readonly MenuItem[] {
  return session === undefined || session.anonymous ? [] : [{ label: 'Sign out', run: leave }];
}

function leave(): void {
  void runAction(async () => {
    const logoutUrl = await signOut();
    if (logoutUrl !== null) window.location.assign(logoutUrl);
  }, 'Signed out.');
}
