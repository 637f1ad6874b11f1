// Resources with a single entity: each has a form. The ones of the server configuration are sections of one page.
import { useState } from 'preact/hooks';
import { reloadAll } from '../api/queries.ts';
import { pageOfForm, RELATED_PAGES, SERVER_CONFIGURATION } from '../forms/areas.ts';
import { Prose } from '../forms/fields/prose.tsx';
import { DeleteDialog } from '../forms/save/delete-dialog.tsx';
import { useEntity } from '../forms/save/entity.ts';
import { useOutdated } from '../forms/save/outdated.tsx';
import { type SaveResult, showSaved } from '../forms/save/requests.ts';
import { reloadForms, useForm } from '../forms/schema/forms.ts';
import type { FormFacts } from '../forms/schema/schema.ts';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { EntityHistoryLink } from '../kit/diff/history-link.tsx';
import { Link } from '../kit/link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { Editor } from './resource-form.tsx';

/** The forms of the settings of the server; the first form is shown unless the user has chosen another. */
export function ServerConfiguration({ forms, chosen }: { readonly forms: readonly FormFacts[]; readonly chosen: FormFacts | undefined }) {
  const sections = forms.filter((form) => pageOfForm(form).startsWith(`${SERVER_CONFIGURATION}/`)).toSorted(byTitle);
  const shown = chosen ?? sections[0];
  const { addressOf } = useMoment();
  return (
    <>
      <AdminBreadcrumb />
      <h1>Server configuration</h1>
      <nav class="sections" aria-label="Sections">
        {sections.map((form) => (
          <Link key={form.resource} href={addressOf(pageOfForm(form))} aria-current={form === shown ? 'page' : undefined}>
            {form.title}
          </Link>
        ))}
      </nav>
      {shown !== undefined && <Singleton key={shown.resource} form={shown} Heading="h2" />}
    </>
  );
}

export function SingletonPage({ form }: { readonly form: FormFacts }) {
  return (
    <>
      <AdminBreadcrumb />
      <Singleton form={form} Heading="h1" />
    </>
  );
}

function Singleton({ form, Heading }: { readonly form: FormFacts; readonly Heading: 'h1' | 'h2' }) {
  useTitle(form.title);
  const { path, version } = form;
  const read = useForm(form.resource);
  const { refusal, addressOf } = useMoment();
  const entity = useEntity(addressOf(path), version);
  const related = RELATED_PAGES[form.resource];
  const saved = (answer: SaveResult): void => {
    showSaved(`Saved ${form.singular}.`, answer);
    reloadAll(path);
    reloadForms();
    entity.show(answer);
  };
  // Of settings that were never set the server answers 404, or shows their defaults.
  const isUnset = entity.data === undefined && entity.failure?.status === 404;
  const shown = refusal === undefined ? (isUnset ? null : entity.data?.etag) : undefined;
  const { note } = useOutdated(path, version, shown, entity.reload);
  const common = { name: path, onSaved: saved, onReload: entity.reload, refusal };
  return (
    <section aria-label={form.title}>
      <div class="page-header">
        <Heading>{form.title}</Heading>
        {related !== undefined && <Link href={related.href}>{related.label}</Link>}
        <EntityHistoryLink resource={form.resource} id="" />
        <MomentSwitch />
        {form.can_delete && form.is_set && entity.data !== undefined && refusal === undefined && (
          <Removal form={form} onRemoved={entity.reload} />
        )}
      </div>
      <p class="quiet">
        <Prose text={form.about} />
      </p>
      {note}
      <Loaded read={read}>
        {(described) =>
          isUnset ? (
            <Editor key="unset" form={described} entity={undefined} target={{ method: 'POST', address: path, version }} {...common} />
          ) : (
            <Loaded read={entity}>
              {(one) => (
                <Editor key={one.etag} form={described} entity={one} target={{ method: 'PUT', address: path, version }} {...common} />
              )}
            </Loaded>
          )
        }
      </Loaded>
    </section>
  );
}

function Removal({ form, onRemoved }: { readonly form: FormFacts; readonly onRemoved: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setIsAsking(true)}>
        Remove …
      </button>
      {isAsking && (
        <DeleteDialog
          what={form.singular}
          target={{ address: form.path, version: form.version }}
          onClose={() => setIsAsking(false)}
          onDeleted={() => {
            setIsAsking(false);
            reloadForms();
            onRemoved();
          }}
        />
      )}
    </>
  );
}

function byTitle(one: FormFacts, other: FormFacts): number {
  return one.title.localeCompare(other.title);
}
