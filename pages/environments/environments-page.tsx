// Environments: pipelines that belong together, their agents, and the variables of all their tasks.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { addressOf, path } from '../api/address.ts';
import { useMayAdminister } from '../api/permissions.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { TextField } from '../forms/edit/fields.tsx';
import { lensOf, member } from '../forms/edit/lens.ts';
import { BodyDialog } from '../forms/save/body-dialog.tsx';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { useMayCreate } from '../forms/schema/forms.ts';
import { Menu, type MenuItem } from '../kit/dialog/menu.tsx';
import { Link } from '../kit/link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { navigate, pageOf, useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { pluralize } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import {
  ENVIRONMENTS_ADDRESS,
  ENVIRONMENTS_VERSION,
  type EnvironmentBody,
  MERGED_ADDRESS,
  MERGED_VERSION,
  type MergedEnvironment,
  type MergedList,
  NEW_ENVIRONMENT,
  shownEnvironments,
} from './environment.ts';

export function EnvironmentsPage() {
  useTitle('Environments');
  const { refusal, addressOf: asOf } = useMoment();
  const read = useApi<MergedList>(asOf(MERGED_ADDRESS), MERGED_VERSION, { changedBy: ({ kind }) => kind === 'config' });
  const [isAdding, setIsAdding] = useState(false);
  const mayAdd = useMayCreate('environments') === true && refusal === undefined;
  const add = mayAdd && (
    <button type="button" class="button is-primary" onClick={() => setIsAdding(true)}>
      New environment …
    </button>
  );
  return (
    <>
      <header class="page-header">
        <h1>Environments</h1>
        <MomentSwitch />
        <span class="grow" />
        {read.data?._embedded.environments.length !== 0 && add}
      </header>
      <Loaded read={read}>
        {({ _embedded: { environments } }) =>
          environments.length === 0 ? <NoEnvironments mayAdd={mayAdd}>{add}</NoEnvironments> : <Environments environments={environments} />
        }
      </Loaded>
      {isAdding && <NewEnvironment onClose={() => setIsAdding(false)} />}
    </>
  );
}

const FIRST = `curl --user admin:PASSWORD ${location.origin}${addressOf(ENVIRONMENTS_ADDRESS)} \\
  --header 'Accept: application/vnd.svc.v${ENVIRONMENTS_VERSION}+json' --header 'Content-Type: application/json' \\
  --data '{"name": "staging", "pipelines": [], "environment_variables": []}'`;

function NoEnvironments({ mayAdd, children }: { readonly mayAdd: boolean; readonly children: ComponentChildren }) {
  const none = currentSession()?.is_admin ? 'There is no environment yet.' : 'There is no environment that you may see.';
  if (!mayAdd) return <Empty text={none} />;
  return (
    <Empty text={`${none} One keeps pipelines, agents and variables together.`} command={FIRST}>
      {children}
    </Empty>
  );
}

function Environments({ environments }: { readonly environments: readonly MergedEnvironment[] }) {
  const [search, setSearch] = useParameter('q');
  const [deleting, setDeleting] = useState<string>();
  const shown = useMemo(() => shownEnvironments(environments, search), [environments, search]);
  return (
    <>
      <search class="toolbar">
        <SearchField of="environments" value={search} onChange={setSearch} />
      </search>
      {shown.length === 0 && <Empty text="No environment matches." />}
      {shown.length > 0 && (
        <div class="table-scroll">
          <table>
            <TableHead columns={['Environment', 'Pipelines', 'Variables', 'Defined by', 'Actions']} />
            <tbody>
              {shown.map((environment) => (
                <EnvironmentRow key={environment.name} environment={environment} onDelete={() => setDeleting(environment.name)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {deleting !== undefined && <DeleteEnvironment name={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

function EnvironmentRow({ environment, onDelete }: { readonly environment: MergedEnvironment; readonly onDelete: () => void }) {
  const { name, pipelines, environment_variables: variables, origins } = environment;
  const { refusal, addressOf: asOf } = useMoment();
  const mayChange = useMayAdminister('environment', name) === true && refusal === undefined;
  const page = asOf(pageOf.editEnvironment(name));
  const repos = origins.filter(({ type }) => type === 'config_repo').map(({ id = '' }) => id);
  const items: MenuItem[] = [
    { label: mayChange ? 'Edit' : 'Show', run: () => navigate(addressOf(page)) },
    ...(mayChange
      ? [
          {
            label: 'Delete …',
            run: onDelete,
            ...(repos.length > 0 && { refusal: `${repos.join(', ')} ${repos.length === 1 ? 'defines' : 'define'} a part of ${name}.` }),
          },
        ]
      : []),
  ];
  return (
    <tr>
      <td>
        <Link href={page}>{name}</Link>
      </td>
      <td>{pipelines.map((pipeline) => pipeline.name).join(', ') || <span class="quiet">none</span>}</td>
      <td>{pluralize(variables.length, 'variable')}</td>
      <td>
        {repos.length === 0 && <span class="quiet">this server</span>}
        {repos.map((id) => (
          <Link key={id} href={pageOf.configRepo(id)}>
            {id}{' '}
          </Link>
        ))}
      </td>
      <td>
        <Menu label={`Actions for ${name}`} items={items}>
          ⋯
        </Menu>
      </td>
    </tr>
  );
}

function NewEnvironment({ onClose }: { readonly onClose: () => void }) {
  const created = ({ name }: EnvironmentBody): void => {
    reloadAll(MERGED_ADDRESS);
    navigate(addressOf(pageOf.editEnvironment(name)));
  };
  return (
    <BodyDialog
      title="New environment"
      action="Create"
      form={`${ENVIRONMENTS_ADDRESS} new`}
      original={NEW_ENVIRONMENT}
      etag={undefined}
      change={(body) => ({ method: 'POST', address: ENVIRONMENTS_ADDRESS, version: ENVIRONMENTS_VERSION, body })}
      done={({ name }) => `${name} is created. Choose what belongs to it.`}
      onReload={onClose}
      onSaved={created}
      onClose={onClose}
      fields={(body) => <TextField isRequired label="Name" lens={member(lensOf(body), 'name')} />}
    />
  );
}

function DeleteEnvironment({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <SaveDialog
      title={`Delete ${name}`}
      action="Delete"
      isDangerous
      change={{ method: 'DELETE', address: path`/api/admin/environments/${name}`, version: ENVIRONMENTS_VERSION }}
      onClose={onClose}
      done={`${name} is deleted.`}
      onSaved={() => {
        onClose();
        reloadAll(MERGED_ADDRESS);
      }}
    />
  );
}
