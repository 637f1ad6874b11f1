// One entity of a resource: shown, changed, tried out and deleted.
import { useMemo, useState } from 'preact/hooks';
import { isObject, textOf } from '../api/json.ts';
import { PERMISSION_TYPES, PERMISSIONS_ADDRESS, useMayAdminister, VIEW_ONLY } from '../api/permissions.ts';
import { reloadAll } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { pageOfEntity, pageOfForm } from '../forms/areas.ts';
import { FormEditor } from '../forms/form-editor.tsx';
import { DeleteDialog } from '../forms/save/delete-dialog.tsx';
import { type Entity, useEntity } from '../forms/save/entity.ts';
import { useOutdated } from '../forms/save/outdated.tsx';
import { type SaveResult, showSaved } from '../forms/save/requests.ts';
import { UsedBy } from '../forms/save/usages.tsx';
import { formField, withoutMember } from '../forms/schema/fields.ts';
import { useForm } from '../forms/schema/forms.ts';
import type { FormDescription, FormFacts } from '../forms/schema/schema.ts';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { EntityHistoryLink } from '../kit/diff/history-link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { useLocation } from '../kit/routing.ts';
import { ConfigRepoLink } from '../kit/source/config-repo-link.tsx';
import { Loaded, Loading } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { CheckButton } from './check-button.tsx';
import { CHECKS } from './checks.ts';
import { repoOf } from './list.ts';

export function NewEntity({ form }: { readonly form: FormFacts }) {
  const [, navigate] = useLocation();
  const read = useForm(form.resource);
  useTitle(`New ${form.singular}`);
  const saved = (answer: SaveResult): void => {
    const address = isObject(answer.value) ? textOf(answer.value[form.address_field ?? 'id']) : '';
    showSaved(`Added ${form.singular} ${address}.`, answer);
    reloadAll(form.path);
    reloadAll(PERMISSIONS_ADDRESS);
    navigate(address === '' ? pageOfForm(form) : pageOfEntity(form, address), { replace: true });
  };
  return (
    <>
      <Where form={form} />
      <h1>New {form.singular}</h1>
      <Loaded read={read}>
        {(described) => (
          <Editor
            form={described}
            name={`${form.path} new`}
            entity={undefined}
            target={{ method: 'POST', address: form.path, version: form.version }}
            onSaved={saved}
            onReload={() => undefined}
          />
        )}
      </Loaded>
    </>
  );
}

export function EditEntity({ form, address }: { readonly form: FormFacts; readonly address: string }) {
  const [, navigate] = useLocation();
  const path = `${form.path}/${encodeURIComponent(address)}`;
  const read = useForm(form.resource);
  const { refusal, addressOf } = useMoment();
  const entity = useEntity(addressOf(path), form.version);
  const mayChange = useMayAdminister(currentSession()?.is_admin ? undefined : PERMISSION_TYPES[form.resource], address);
  const [isDeleting, setIsDeleting] = useState(false);
  useTitle(`${address}, ${form.singular}`);
  const saved = (answer: SaveResult): void => {
    const next = isObject(answer.value) ? textOf(answer.value[form.address_field ?? 'id']) : address;
    showSaved(`Saved ${form.singular} ${next}.`, answer);
    reloadAll(form.path);
    if (next === address) entity.reload();
    else navigate(pageOfEntity(form, next), { replace: true });
  };
  const usages = form.has_usages?.replace('{id}', encodeURIComponent(address));
  const { isDeleted, note } = useOutdated(path, form.version, refusal === undefined ? entity.data?.etag : undefined, entity.reload);
  const isOwn = entity.data !== undefined && repoOf(entity.data.value) === undefined;
  return (
    <>
      <Where form={form} />
      <div class="page-header">
        <h1>{address}</h1>
        <EntityHistoryLink resource={form.resource} id={address} />
        <MomentSwitch />
        {form.can_delete && mayChange && isOwn && !isDeleted && refusal === undefined && (
          <button type="button" class="button" onClick={() => setIsDeleting(true)}>
            Delete …
          </button>
        )}
      </div>
      {note}
      <Loaded read={read}>
        {(described) => (
          <Loaded read={entity}>
            {(one) =>
              mayChange === undefined ? (
                <Loading />
              ) : (
                <Editor
                  key={one.etag}
                  form={described}
                  name={path}
                  entity={one}
                  target={{ method: 'PUT', address: path, version: form.version }}
                  onSaved={saved}
                  onReload={entity.reload}
                  refusal={refusal ?? (mayChange ? undefined : VIEW_ONLY)}
                />
              )
            }
          </Loaded>
        )}
      </Loaded>
      {usages !== undefined && refusal === undefined && <UsedBy address={usages} />}
      {isDeleting && <Deletion form={form} address={address} usages={usages} onClose={() => setIsDeleting(false)} />}
    </>
  );
}

interface DeletionProps {
  readonly form: FormFacts;
  readonly address: string;
  readonly usages: string | undefined;
  readonly onClose: () => void;
}

function Deletion({ form, address, usages, onClose }: DeletionProps) {
  const [, navigate] = useLocation();
  const deleted = (): void => {
    reloadAll(form.path);
    navigate(pageOfForm(form));
  };
  return (
    <DeleteDialog
      what={`${form.singular} ${address}`}
      target={{ address: `${form.path}/${encodeURIComponent(address)}`, version: form.version }}
      usages={usages}
      onClose={onClose}
      onDeleted={deleted}
    />
  );
}

function Where({ form }: { readonly form: FormFacts }) {
  const { addressOf } = useMoment();
  return <AdminBreadcrumb crumbs={[{ label: form.title, href: addressOf(pageOfForm(form)) }]} />;
}

export interface EditorProps {
  readonly form: FormDescription;
  readonly name: string;
  readonly entity: Entity | undefined;
  readonly target: { readonly method: 'POST' | 'PUT'; readonly address: string; readonly version: number };
  readonly onSaved: (saved: SaveResult) => void;
  readonly onReload: () => void;
  /** Why it cannot be changed; undefined: it can. */
  readonly refusal?: string | undefined;
}

/** An existing entity keeps its id, unless the server can rename it. */
export function Editor({ form, entity, refusal, ...others }: EditorProps) {
  const field = useMemo(() => {
    const all = formField(form.schema);
    return entity === undefined || form.can_rename || form.id_field === null ? all : withoutMember(all, form.id_field);
  }, [form, entity === undefined]);
  const repo = entity && repoOf(entity.value);
  const check = CHECKS[form.resource];
  return (
    <FormEditor
      {...others}
      field={field}
      entity={entity}
      readOnly={refusal ?? (repo && <FromRepo repo={repo} />)}
      actions={check && refusal === undefined ? (root) => <CheckButton check={check} version={form.version} root={root} /> : undefined}
    />
  );
}

function FromRepo({ repo }: { readonly repo: string }) {
  return (
    <>
      It comes from the config repo <ConfigRepoLink id={repo} />: change it in its files.
    </>
  );
}
