// One config repo: its definitions, how its revisions were taken, and how it is notified of new ones.
import { useEffect, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { useMayAdminister } from '../api/permissions.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { EntityHistoryLink } from '../kit/diff/history-link.tsx';
import { Link } from '../kit/link.tsx';
import { runAction } from '../kit/messages.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf, useLocation } from '../kit/routing.ts';
import { Loaded } from '../kit/states.tsx';
import { StatusIcon } from '../kit/status.tsx';
import { useTitle } from '../kit/title.ts';
import { type ConfigRepo, REPOS_VERSION, type RepoState, type RepoStates, STATES_ADDRESS, stateOf } from './config-repo.ts';
import { DefinedBy } from './defined-by.tsx';
import { Parses } from './parses.tsx';
import { RepoFacts } from './repo-facts.tsx';
import { WebhookAddresses } from './webhook-addresses.tsx';

const EVERY_MS = 10_000;
const EVERY_MS_WHILE_UPDATING = 1_000;

export function ConfigRepoPage({ params: { id } }: PageProps<{ id: string }>) {
  useTitle(`${id}, config repo`);
  const { refusal, addressOf } = useMoment();
  return (
    <>
      <AdminBreadcrumb crumbs={[{ label: 'Config repos', href: addressOf(pageOf.configRepos()) }]} />
      {refusal === undefined ? <PresentRepo id={id} /> : <PastRepo id={id} />}
    </>
  );
}

/** How it was configured, and its definitions of that time. */
function PastRepo({ id }: { readonly id: string }) {
  const { addressOf } = useMoment();
  const read = useApi<ConfigRepo>(addressOf(path`/api/admin/config_repos/${id}`), REPOS_VERSION);
  return (
    <>
      <header class="page-header">
        <h1>{id}</h1>
        <MomentSwitch />
        <span class="grow" />
        <Link href={addressOf(pageOf.editConfigRepo(id))} class="button">
          All settings
        </Link>
      </header>
      <Loaded read={read}>{(repo) => <RepoFacts repo={repo} />}</Loaded>
      <DefinedBy id={id} />
    </>
  );
}

function PresentRepo({ id }: { readonly id: string }) {
  const [isAsked, setIsAsked] = useState(false);
  const read = useApi<RepoStates>(STATES_ADDRESS, REPOS_VERSION, {
    changedBy: ({ kind }) => kind === 'config' || kind === 'material' || kind === 'health',
    everyMs: isAsked ? EVERY_MS_WHILE_UPDATING : EVERY_MS,
  });
  return (
    <Loaded read={read}>
      {({ _embedded: { config_repos: repos } }) => {
        const repo = repos.find((one) => one.id === id);
        if (repo === undefined) return <Gone id={id} />;
        return <Repo repo={repo} onAsked={setIsAsked} />;
      }}
    </Loaded>
  );
}

function Gone({ id }: { readonly id: string }) {
  return (
    <div class="empty">
      <p>There is no config repo {id}, or you may not see it.</p>
      <MomentSwitch />
    </div>
  );
}

function Repo({ repo, onAsked }: { readonly repo: RepoState; readonly onAsked: (isAsked: boolean) => void }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const isUpdating = repo.material_update_in_progress;
  const { icon, word } = stateOf(repo);
  const mayChange = useMayAdminister('config_repo', repo.id) ?? false;
  // The update has ended: the page goes back to reading less often.
  useEffect(() => {
    if (!isUpdating) onAsked(false);
  }, [isUpdating]);
  const update = async (): Promise<void> => {
    const address = path`/api/admin/config_repos/${repo.id}/trigger_update`;
    if (await runAction(async () => void (await send(address, { method: 'POST', version: REPOS_VERSION })), `${repo.id} is being updated.`))
      onAsked(true);
    reloadAll(STATES_ADDRESS);
  };
  return (
    <>
      <header class="page-header">
        <h1>{repo.id}</h1>
        <span class={`status is-${icon}`} role="status">
          <StatusIcon status={icon} /> {word}
        </span>
        <EntityHistoryLink resource="config_repos" id={repo.id} />
        <MomentSwitch />
        <span class="grow" />
        {currentSession()?.is_admin && (
          <Link href={pageOf.preflight(repo.id)} class="button">
            Check files
          </Link>
        )}
        {mayChange && (
          <>
            <button type="button" class="button is-primary" disabled={isUpdating} onClick={() => void update()}>
              {isUpdating ? 'Updating …' : 'Update now'}
            </button>
            <Link href={pageOf.editConfigRepo(repo.id)} class="button">
              Edit
            </Link>
            <button type="button" class="button" onClick={() => setIsDeleting(true)}>
              Delete …
            </button>
          </>
        )}
      </header>
      <RepoFacts repo={repo} />
      <Parses id={repo.id} isUpdating={isUpdating} mayChange={mayChange} />
      <DefinedBy id={repo.id} />
      <WebhookAddresses id={repo.id} />
      {isDeleting && <DeleteRepo id={repo.id} onClose={() => setIsDeleting(false)} />}
    </>
  );
}

function DeleteRepo({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const address = path`/api/admin/config_repos/${id}`;
  return (
    <SaveDialog
      title={`Delete ${id}`}
      action="Delete"
      isDangerous
      change={{ method: 'DELETE', address, version: REPOS_VERSION }}
      onClose={onClose}
      done={`${id} is deleted, with all that it defined.`}
      onSaved={() => {
        navigate(pageOf.configRepos());
        reloadAll(STATES_ADDRESS);
      }}
    />
  );
}
