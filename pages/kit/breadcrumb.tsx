// The place of a page: the pages above it, from the top on.
import { currentSession, viewsAdmin } from '../api/session.ts';
import { Link } from './link.tsx';
import { pageOf } from './page-addresses.ts';

export interface Crumb {
  readonly label: string;
  readonly href: string;
  readonly title?: string;
}

export function Breadcrumb({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  return (
    <nav class="breadcrumb" aria-label="Where this is">
      <ol>
        {crumbs.map(({ label, href, title }) => (
          <li key={href}>
            <Link href={href} title={title}>
              {label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The place of a page below Admin. Users whose header does not lead to Admin see only the other pages. */
export function AdminBreadcrumb({ crumbs = [] }: { readonly crumbs?: readonly Crumb[] }) {
  const shown = viewsAdmin(currentSession()) ? [{ label: 'Admin', href: pageOf.admin() }, ...crumbs] : crumbs;
  return shown.length === 0 ? null : <Breadcrumb crumbs={shown} />;
}
