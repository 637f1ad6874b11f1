// Adds a config repo, or changes one.
import { type Signal, signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { PERMISSIONS_ADDRESS, useMayAdminister, VIEW_ONLY } from '../api/permissions.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { BodyDraftOffer } from '../forms/drafts/draft-offer.tsx';
import { useBodyDraft } from '../forms/drafts/use-body-draft.ts';
import { Editing, ProblemSummary } from '../forms/edit/editing.tsx';
import { ChoiceField, TextField } from '../forms/edit/fields.tsx';
import { lensOf, member } from '../forms/edit/lens.ts';
import { ServerProblems } from '../forms/edit/server-problems.ts';
import { RepositoryFields, TypeField } from '../forms/materials/material-form.tsx';
import type { Change } from '../forms/save/change.ts';
import { type Entity, useEntity } from '../forms/save/entity.ts';
import { previewText } from '../forms/save/preview-text.ts';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { useMayCreate } from '../forms/schema/forms.ts';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { EntityHistoryLink } from '../kit/diff/history-link.tsx';
import { Link } from '../kit/link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf, useLocation } from '../kit/routing.ts';
import { Empty, Loaded, Loading } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { type ConfigRepo, NEW_REPO, REPOS_ADDRESS, REPOS_VERSION, type RepoStates, STATES_ADDRESS } from './config-repo.ts';
import { knownSettings, type PluginList, pluginChoices } from './plugins.ts';
import { RulesEditor } from './rules-editor.tsx';
import { SettingsEditor } from './settings-editor.tsx';

const NEW_ENTITY: Entity<ConfigRepo> = { value: NEW_REPO, etag: undefined };

export function NewConfigRepoPage() {
  useTitle('New config repo');
  const mayAdd = useMayCreate('config_repos');
  return (
    <>
      <AdminBreadcrumb crumbs={[{ label: 'Config repos', href: pageOf.configRepos() }]} />
      <h1>New config repo</h1>
      {mayAdd === undefined && <Loading />}
      {mayAdd === true && <RepoForm entity={NEW_ENTITY} isNew onReload={() => undefined} />}
      {mayAdd === false && <Empty text="You may add no config repo. Ask an administrator for the right." />}
    </>
  );
}

export function EditConfigRepoPage({ params: { id } }: PageProps<{ id: string }>) {
  useTitle(`Edit ${id}`);
  const { refusal, addressOf } = useMoment();
  const isAllowed = useMayAdminister('config_repo', id);
  const mayChange = isAllowed === true && refusal === undefined;
  const read = useEntity<ConfigRepo>(addressOf(path`/api/admin/config_repos/${id}`), REPOS_VERSION);
  return (
    <>
      <AdminBreadcrumb
        crumbs={[
          { label: 'Config repos', href: addressOf(pageOf.configRepos()) },
          { label: id, href: addressOf(pageOf.configRepo(id)) },
        ]}
      />
      <div class="page-header">
        <h1>{mayChange ? `Edit ${id}` : id}</h1>
        <EntityHistoryLink resource="config_repos" id={id} />
        <MomentSwitch />
      </div>
      {isAllowed === false && read.data !== undefined && refusal === undefined && <p class="stale">{VIEW_ONLY}</p>}
      <Loaded read={read}>
        {(entity) => <RepoForm key={entity.etag} entity={entity} isNew={false} isReadOnly={!mayChange} onReload={read.reload} />}
      </Loaded>
    </>
  );
}

interface RepoFormProps {
  readonly entity: Entity<ConfigRepo>;
  readonly isNew: boolean;
  /** The config repo is shown at an earlier moment, or to a user who may not change it. */
  readonly isReadOnly?: boolean;
  readonly onReload: () => void;
}

function RepoForm({ entity: { value, etag }, isNew, isReadOnly = false, onReload }: RepoFormProps) {
  const [, navigate] = useLocation();
  const body = useMemo(() => signal(value), []);
  const problems = useMemo(() => new ServerProblems(body), []);
  const [change, setChange] = useState<Change>();
  const form = isNew ? `${REPOS_ADDRESS} new` : path`/api/admin/config_repos/${value.id}`;
  const draft = useBodyDraft({ form, etag, body, original: value, isReadOnly });
  const review = (event: Event): void => {
    event.preventDefault();
    problems.clear();
    setChange(changeOf(body.peek(), draft.etag, isNew));
  };
  const action = isNew ? 'Add' : 'Save';
  const back = isNew ? pageOf.configRepos() : pageOf.configRepo(value.id);
  return (
    <Editing problems={problems} isReadOnly={isReadOnly || draft.offered !== undefined} above={<BodyDraftOffer draft={draft} />}>
      <form class="form" onSubmit={review}>
        <ProblemSummary problems={problems} />
        <RepoFields body={body} isNew={isNew} />
        {!isReadOnly && (
          <footer class="form-footer">
            <Link href={back} class="button">
              Cancel
            </Link>
            <button type="submit" class="button is-primary">
              {previewText(action)}
            </button>
          </footer>
        )}
      </form>
      {change !== undefined && (
        <SaveDialog
          title={isNew ? `Add ${body.value.id}` : `Save ${body.value.id}`}
          action={action}
          change={change}
          onClose={() => setChange(undefined)}
          onShowTheirs={() => {
            setChange(undefined);
            draft.keepForNewest();
            onReload();
          }}
          onRefused={(failure) => {
            problems.take(failure);
            setChange(undefined);
          }}
          done={`${body.value.id} is saved. It is read now.`}
          onSaved={() => {
            draft.discard();
            reloadAll(STATES_ADDRESS);
            reloadAll(REPOS_ADDRESS);
            reloadAll(PERMISSIONS_ADDRESS);
            navigate(pageOf.configRepo(body.peek().id));
          }}
        />
      )}
    </Editing>
  );
}

function RepoFields({ body, isNew }: { readonly body: Signal<ConfigRepo>; readonly isNew: boolean }) {
  const repo = lensOf(body);
  const plugins = useApi<PluginList>('/api/admin/plugin_info?type=configrepo', 7).data;
  const names = useApi<RepoStates>(STATES_ADDRESS, REPOS_VERSION).data?.auto_completion ?? [];
  const material = member(repo, 'material');
  const id = member(repo, 'id').now.value;
  const pluginId = member(repo, 'plugin_id').now.value;
  return (
    <>
      {isNew && <TextField label="Id" lens={member(repo, 'id')} hint="What the repo is called here. It stays." isRequired />}
      <ChoiceField label="Plugin" lens={member(repo, 'plugin_id')} choices={pluginChoices(plugins)} hint="It reads the files." />
      <fieldset>
        <legend>Repository</legend>
        <TypeField lens={material} />
        <RepositoryFields lens={material} owner={{ is: 'config-repo', id: isNew ? '' : id }} />
      </fieldset>
      <SettingsEditor list={member(repo, 'configuration')} known={knownSettings(plugins, pluginId)} />
      <RulesEditor list={member(repo, 'rules')} names={names} />
    </>
  );
}

function changeOf(body: ConfigRepo, etag: string | undefined, isNew: boolean): Change {
  if (isNew) return { method: 'POST', address: REPOS_ADDRESS, version: REPOS_VERSION, body };
  return { method: 'PUT', address: path`/api/admin/config_repos/${body.id}`, version: REPOS_VERSION, body, ifMatch: etag };
}
