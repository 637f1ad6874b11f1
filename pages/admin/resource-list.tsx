// The list of all entities of a resource.
import { useMemo } from 'preact/hooks';
import { urlOf } from '../api/address.ts';
import type { Json } from '../api/json.ts';
import { useApi } from '../api/queries.ts';
import { pageOfEntity, pageOfNew } from '../forms/areas.ts';
import { Prose } from '../forms/fields/prose.tsx';
import { entitiesIn } from '../forms/names/entities.ts';
import { labelOf } from '../forms/schema/fields.ts';
import type { FormFacts } from '../forms/schema/schema.ts';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { Link } from '../kit/link.tsx';
import { VirtualList } from '../kit/list/virtual-list.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { pluralize } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import { columnsOf, type Entry, entriesOf, foundEntries } from './list.ts';

export function ResourceList({ form }: { readonly form: FormFacts }) {
  useTitle(form.title);
  const { addressOf } = useMoment();
  const read = useApi<Json>(addressOf(form.path), form.version, { changedBy: ({ kind }) => kind === 'config' });
  return (
    <>
      <AdminBreadcrumb />
      <div class="page-header">
        <h1>{form.title}</h1>
        <MomentSwitch />
      </div>
      <p class="quiet">
        <Prose text={form.about} />
      </p>
      <Loaded read={read}>{(list) => <Entries form={form} list={list} />}</Loaded>
    </>
  );
}

function Entries({ form, list }: { readonly form: FormFacts; readonly list: Json }) {
  const [search, setSearch] = useParameter('q');
  const { refusal, addressOf } = useMoment();
  const mayAdd = form.can_create && refusal === undefined;
  const { columns, entries } = useMemo(() => {
    const entities = entitiesIn(list, form.list_key);
    const shown = columnsOf(entities, form);
    return { columns: shown, entries: entriesOf(entities, form, shown) };
  }, [list, form]);
  const found = useMemo(() => foundEntries(entries, search), [entries, search]);
  if (entries.length === 0)
    return refusal === undefined ? <NoEntries form={form} mayAdd={mayAdd} /> : <Empty text={`There was no ${form.singular} then.`} />;
  return (
    <>
      <search class="toolbar">
        <SearchField of={form.title} value={search} onChange={setSearch} />
        <span class="quiet" role="status">
          {pluralize(found.length, form.singular)}
        </span>
        <span class="grow" />
        {mayAdd && (
          <Link href={pageOfNew(form)} class="button is-primary">
            Add
          </Link>
        )}
      </search>
      {found.length === 0 && <p class="empty">Nothing matches.</p>}
      <div class="admin-list">
        <VirtualList
          items={found}
          keyOf={({ address }) => address}
          label={form.title}
          row={(entry) => <EntryRow href={addressOf(pageOfEntity(form, entry.address))} entry={entry} columns={columns} />}
        />
      </div>
    </>
  );
}

interface EntryRowProps {
  readonly href: string;
  readonly entry: Entry;
  readonly columns: readonly string[];
}

function EntryRow({ href, entry: { name, facts, repo }, columns }: EntryRowProps) {
  return (
    <div class="admin-row">
      <Link href={href}>{name}</Link>
      {columns.map((column, at) => (
        <span key={column} title={labelOf(column)}>
          <span class="quiet">{labelOf(column)}</span> {facts[at]}
        </span>
      ))}
      {repo !== undefined && <span class="badge">from {repo}</span>}
    </div>
  );
}

function NoEntries({ form, mayAdd }: { readonly form: FormFacts; readonly mayAdd: boolean }) {
  const { singular, path } = form;
  const command = `curl -u NAME ${urlOf(path)} -H 'Accept: application/vnd.svc.v${form.version}+json' -H 'Content-Type: application/json' -d @body.json`;
  return (
    <Empty text={`There is no ${singular} yet.`} {...(mayAdd && { command })}>
      {mayAdd && (
        <Link href={pageOfNew(form)} class="button is-primary">
          Add {singular}
        </Link>
      )}
    </Empty>
  );
}
