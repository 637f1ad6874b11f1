// A group or a pipeline in one line, with its actions.

import { addressOf } from '../api/address.ts';
import type { PipelineName } from '../api/pipeline-names.ts';
import { currentSession } from '../api/session.ts';
import { Menu, type MenuItem } from '../kit/dialog/menu.tsx';
import { Link } from '../kit/link.tsx';
import { useMoment } from '../kit/moment.tsx';
import { navigate, pageOf } from '../kit/routing.ts';
import { ConfigRepoLink } from '../kit/source/config-repo-link.tsx';
import { pluralize } from '../kit/text/text.ts';
import type { Action } from './action-dialog.tsx';
import type { Row } from './rows.ts';

type GroupOf = Extract<Row, { readonly is: 'group' }>;

/** Absent: nothing can be changed. */
type OnAction = ((action: Action) => void) | undefined;

export function GroupRow({ group, onAction }: { readonly group: GroupOf; readonly onAction: OnAction }) {
  const { name, count } = group;
  return (
    <div class="admin-group">
      <h2>{name}</h2> <span class="quiet">{pluralize(count, 'pipeline')}</span>
      <span class="grow" />
      {onAction !== undefined && <Actions label={`Actions for the group ${name}`} items={groupItems(group, onAction)} />}
    </div>
  );
}

function groupItems({ name, count, canAdminister }: GroupOf, onAction: (action: Action) => void): readonly (MenuItem | false)[] {
  return [
    canAdminister && { label: 'New pipeline in it', run: () => go(`${pageOf.newPipeline()}?group=${encodeURIComponent(name)}`) },
    canAdminister && { label: 'Rights …', run: () => onAction({ is: 'rights', group: name }) },
    currentSession()?.is_admin === true && {
      label: 'History',
      run: () => go(pageOf.entityChanges({ resource: 'pipeline_groups', id: name })),
    },
    canAdminister && {
      label: 'Delete …',
      run: () => onAction({ is: 'delete-group', group: name }),
      ...(count > 0 && { refusal: `${name} has ${pluralize(count, 'pipeline')}. Only an empty group can be deleted.` }),
    },
  ];
}

function pipelineItems(
  { name, origin, template, canAdminister }: PipelineName,
  onAction: (action: Action) => void,
): readonly (MenuItem | false)[] {
  const isOwn = origin === null;
  return [
    { label: 'Its runs', run: () => go(pageOf.activity(name)) },
    canAdminister && { label: isOwn ? 'Edit' : 'Look at its definition', run: () => go(pageOf.editPipeline(name)) },
    canAdminister && { label: 'Clone …', run: () => onAction({ is: 'clone', pipeline: name }) },
    canAdminister && isOwn && { label: 'Move to another group …', run: () => onAction({ is: 'move', pipeline: name }) },
    canAdminister &&
      isOwn &&
      template === null && { label: 'Extract a template …', run: () => onAction({ is: 'extract', pipeline: name }) },
    canAdminister && { label: 'Export …', run: () => onAction({ is: 'export', pipeline: name }) },
    canAdminister && isOwn && { label: 'Delete …', run: () => onAction({ is: 'delete', pipeline: name }) },
  ];
}

export function PipelineLine({ pipeline, onAction }: { readonly pipeline: PipelineName; readonly onAction: OnAction }) {
  const { name, origin, template, canAdminister } = pipeline;
  const { addressOf: asOf } = useMoment();
  return (
    <div class="admin-pipeline">
      <span class="admin-name">
        {canAdminister ? <Link href={asOf(pageOf.editPipeline(name))}>{name}</Link> : <Link href={pageOf.activity(name)}>{name}</Link>}
      </span>
      <span class="admin-from">
        {template !== null && (
          <span>
            <span class="quiet">template</span> <Link href={pageOf.editTemplate(template)}>{template}</Link>
          </span>
        )}
        {origin !== null && (
          <span>
            <span class="quiet">from</span> <ConfigRepoLink id={origin} />
          </span>
        )}
      </span>
      {onAction !== undefined && <Actions label={`Actions for ${name}`} items={pipelineItems(pipeline, onAction)} />}
    </div>
  );
}

function Actions({ label, items }: { readonly label: string; readonly items: readonly (MenuItem | false)[] }) {
  const offered = items.filter((item) => item !== false);
  if (offered.length === 0) return null;
  return (
    <Menu label={label} items={offered}>
      ⋯
    </Menu>
  );
}

const go = (page: string): void => navigate(addressOf(page));
