// The place of a page: the pages above it, from the top on.
import { Link } from './link.tsx';

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
