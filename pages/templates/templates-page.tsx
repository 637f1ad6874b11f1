// Templates: stages that several pipelines share, and which pipelines do.

import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { addressOf as pageAddress, path } from '../api/address.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { CheckField, TextField } from '../forms/edit/fields.tsx';
import { lensOf, member } from '../forms/edit/lens.ts';
import { MembersFields } from '../forms/edit/members-fields.tsx';
import { BodyDialog } from '../forms/save/body-dialog.tsx';
import { EntityDialog } from '../forms/save/entity-dialog.tsx';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { Menu, type MenuItem } from '../kit/dialog/menu.tsx';
import { Link } from '../kit/link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { navigate, pageOf } from '../kit/routing.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { useTitle } from '../kit/title.ts';
import {
  type ListedTemplate,
  NEW_TEMPLATE,
  RIGHTS_VERSION,
  TEMPLATES_ADDRESS,
  TEMPLATES_VERSION,
  type TemplateList,
  type TemplateRights,
} from './template.ts';

type Action = { readonly is: 'new' } | { readonly is: 'rights' | 'delete'; readonly template: string };

export function TemplatesPage() {
  useTitle('Templates');
  const { refusal, addressOf } = useMoment();
  const read = useApi<TemplateList>(addressOf(TEMPLATES_ADDRESS), TEMPLATES_VERSION, { changedBy: ({ kind }) => kind === 'config' });
  const [action, setAction] = useState<Action>();
  const close = (isDone = false): void => {
    setAction(undefined);
    if (isDone) reloadAll(TEMPLATES_ADDRESS);
  };
  return (
    <>
      <header class="page-header">
        <h1>Templates</h1>
        <MomentSwitch />
        <span class="grow" />
        {currentSession()?.is_admin && refusal === undefined && (
          <button type="button" class="button is-primary" onClick={() => setAction({ is: 'new' })}>
            New template …
          </button>
        )}
      </header>
      <Loaded read={read}>{({ _embedded: { templates } }) => <Templates templates={templates} onAction={setAction} />}</Loaded>
      {action?.is === 'new' && <NewTemplate onClose={close} />}
      {action?.is === 'rights' && <Rights template={action.template} onClose={close} />}
      {action?.is === 'delete' && (
        <SaveDialog
          title={`Delete ${action.template}`}
          action="Delete"
          isDangerous
          change={{ method: 'DELETE', address: path`/api/admin/templates/${action.template}`, version: TEMPLATES_VERSION }}
          onClose={() => close()}
          done={`${action.template} is deleted.`}
          onSaved={() => close(true)}
        />
      )}
    </>
  );
}

interface TemplatesProps {
  readonly templates: readonly ListedTemplate[];
  readonly onAction: (action: Action) => void;
}

function Templates({ templates, onAction }: TemplatesProps) {
  if (templates.length === 0)
    return (
      <Empty text="There is no template. Extract one from a pipeline, and other pipelines can share its stages.">
        <p>
          <Link href={pageOf.adminPipelines()} class="button">
            Pipelines
          </Link>
        </p>
      </Empty>
    );
  return (
    <div class="table-scroll">
      <table>
        <TableHead columns={['Template', 'Used by', 'Actions']} />
        <tbody>
          {templates.map((template) => (
            <TemplateRow key={template.name} template={template} onAction={onAction} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TemplateRow({ template, onAction }: { readonly template: ListedTemplate; readonly onAction: (action: Action) => void }) {
  const { name, can_edit: canEdit, can_administer: canAdminister, _embedded } = template;
  const { pipelines } = _embedded;
  const { refusal, addressOf } = useMoment();
  const isNow = refusal === undefined;
  const canChange = canEdit && isNow;
  const items: readonly (MenuItem | false)[] = [
    { label: canChange ? 'Edit' : 'Show', run: () => navigate(pageAddress(addressOf(pageOf.editTemplate(name)))) },
    canAdminister && isNow && { label: 'Rights …', run: () => onAction({ is: 'rights', template: name }) },
    canAdminister &&
      isNow && {
        label: 'Delete …',
        run: () => onAction({ is: 'delete', template: name }),
        ...(pipelines.length > 0 && { refusal: `${name} is used by ${pipelines.map((pipeline) => pipeline.name).join(', ')}.` }),
      },
  ];
  return (
    <tr>
      <td>
        <Link href={addressOf(pageOf.editTemplate(name))}>{name}</Link>
      </td>
      <td>
        {pipelines.length === 0 && <span class="quiet">no pipeline</span>}
        {pipelines.map((pipeline) => (
          <span key={pipeline.name}>
            {pipeline.can_administer ? (
              <Link href={addressOf(pageOf.editPipeline(pipeline.name))}>{pipeline.name}</Link>
            ) : (
              pipeline.name
            )}{' '}
          </span>
        ))}
      </td>
      <td>
        <Menu label={`Actions for ${name}`} items={items.filter((item) => item !== false)}>
          ⋯
        </Menu>
      </td>
    </tr>
  );
}

function NewTemplate({ onClose }: { readonly onClose: (isDone?: boolean) => void }) {
  return (
    <BodyDialog
      title="New template"
      action="Create"
      form={`${TEMPLATES_ADDRESS} new`}
      original={NEW_TEMPLATE}
      etag={undefined}
      change={(body) => ({ method: 'POST', address: TEMPLATES_ADDRESS, version: TEMPLATES_VERSION, body })}
      done={({ name }) => `${name} is created, with one stage to begin with.`}
      onReload={onClose}
      onClose={onClose}
      fields={(body) => <TextField isRequired label="Name" lens={member(lensOf(body), 'name')} />}
    />
  );
}

function Rights({ template, onClose }: { readonly template: string; readonly onClose: (isDone?: boolean) => void }) {
  return (
    <EntityDialog<TemplateRights>
      title={`Rights of the template ${template}`}
      address={path`/api/admin/templates/${template}/authorization`}
      version={RIGHTS_VERSION}
      bodyOf={(rights) => rights}
      done={`The rights of ${template} are changed.`}
      onClose={onClose}
      fields={(body) => <RightsFields rights={body} />}
    />
  );
}

function RightsFields({ rights }: { readonly rights: Signal<TemplateRights> }) {
  const all = lensOf(rights);
  return (
    <>
      <MembersFields label="May change it" lens={member(all, 'admin')} />
      <MembersFields label="May see it" lens={member(all, 'view')} />
      <CheckField label="All who administer a pipeline group may see it" lens={member(all, 'all_group_admins_are_view_users')} />
    </>
  );
}
