// The pages for administrators: an overview, lists, and forms that the server describes.

import { ADMIN, areaAt, isNewPage, SERVER_CONFIGURATION } from '../forms/areas.ts';
import { useForms } from '../forms/schema/forms.ts';
import type { FormFacts } from '../forms/schema/schema.ts';
import { Link } from '../kit/link.tsx';
import { useLocation, useSearch } from '../kit/routing.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { Overview } from './overview.tsx';
import { EditEntity, NewEntity } from './resource-form.tsx';
import { ResourceList } from './resource-list.tsx';
import { ServerConfiguration, SingletonPage } from './singletons.tsx';

export function AdminPage() {
  const [location] = useLocation();
  const search = useSearch();
  const read = useForms();
  return <Loaded read={read}>{({ forms }) => <Area forms={forms} location={location.replace(/\/$/, '')} search={search} />}</Loaded>;
}

interface AreaProps {
  readonly forms: readonly FormFacts[];
  readonly location: string;
  readonly search: string;
}

function Area({ forms, location, search }: AreaProps) {
  if (location === ADMIN) return <Overview forms={forms} />;
  const area = areaAt(location, forms);
  if (location === SERVER_CONFIGURATION) return <ServerConfiguration forms={forms} chosen={undefined} />;
  if (area === undefined) return <NoArea />;
  const { form, name } = area;
  if (!form.can_view) return <NoRight form={form} />;
  if (form.is_singleton) {
    return location.startsWith(`${SERVER_CONFIGURATION}/`) ? (
      <ServerConfiguration forms={forms} chosen={form} />
    ) : (
      <SingletonPage form={form} />
    );
  }
  if (name === undefined) return <ResourceList key={form.resource} form={form} />;
  if (isNewPage(name, search) && form.can_create) return <NewEntity key={form.resource} form={form} />;
  return <EditEntity key={`${form.resource}/${name}`} form={form} address={name} />;
}

function NoRight({ form }: { readonly form: FormFacts }) {
  useTitle(form.title);
  return (
    <>
      <h1>{form.title}</h1>
      <Empty text={`You may not look at ${form.title.toLowerCase()}. Ask an administrator for the right.`} />
    </>
  );
}

function NoArea() {
  useTitle('Not found');
  return (
    <div class="empty">
      <h1>There is no such page</h1>
      <Link href={ADMIN} class="button">
        All that can be configured
      </Link>
    </div>
  );
}
