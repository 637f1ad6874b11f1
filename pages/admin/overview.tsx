// All that can be configured, by title.

import { currentSession } from '../api/session.ts';
import { Prose } from '../forms/fields/prose.tsx';
import type { FormFacts } from '../forms/schema/schema.ts';
import { Link } from '../kit/link.tsx';
import { Empty } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { pageOfForm } from './areas.ts';
import { MORE_PAGES, type MorePage } from './more-pages.ts';

export function Overview({ forms }: { readonly forms: readonly FormFacts[] }) {
  useTitle('Admin');
  const visible = forms.filter(({ can_view: canView }) => canView);
  const more = currentSession()?.is_admin === true ? MORE_PAGES : [];
  const pages = [...visible.map(entryOf), ...more].toSorted((one, other) => one.title.localeCompare(other.title));
  return (
    <>
      <h1>Admin</h1>
      {visible.length === 0 ? (
        <Empty text="You may not look after anything here. Ask an administrator for the right." />
      ) : (
        <ul class="admin-areas">
          {pages.map(({ title, about, href }) => (
            <li key={`${title} ${href}`}>
              <Link href={href}>{title}</Link>
              <p class="quiet">
                <Prose text={about} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function entryOf(form: FormFacts): MorePage {
  return { title: form.title, about: form.about, href: pageOfForm(form) };
}
