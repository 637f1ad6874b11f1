// The overview of all settings, by subject.
import { currentSession } from '../api/session.ts';
import { pageOfForm } from '../forms/areas.ts';
import { Prose } from '../forms/fields/prose.tsx';
import type { FormFacts } from '../forms/schema/schema.ts';
import { Link } from '../kit/link.tsx';
import { Empty } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { MORE_PAGES } from './more-pages.ts';
import { groupsOf, type OverviewEntry, type OverviewGroup } from './overview-groups.ts';

export function Overview({ forms }: { readonly forms: readonly FormFacts[] }) {
  useTitle('Admin');
  const visible = forms.filter(({ can_view: canView }) => canView);
  const more = currentSession()?.is_admin === true ? MORE_PAGES : [];
  return (
    <>
      <h1>Admin</h1>
      {visible.length === 0 ? (
        <Empty text="You may not look after anything here. Ask an administrator for the right." />
      ) : (
        groupsOf([...visible.map(entryOf), ...more]).map((group) => <Group key={group.title} group={group} />)
      )}
    </>
  );
}

function Group({ group: { title, entries } }: { readonly group: OverviewGroup }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="admin-areas">
        {entries.map((entry) => (
          <li key={entry.resource ?? entry.href}>
            <Link href={entry.href}>{entry.title}</Link>
            <p class="quiet">
              <Prose text={entry.about} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function entryOf(form: FormFacts): OverviewEntry {
  return { resource: form.resource, title: form.title, about: form.about, href: pageOfForm(form) };
}
