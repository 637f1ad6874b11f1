// All config repos: which are in effect, and the errors of the others.

import { useMemo } from 'preact/hooks';
import { addressOf } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { useMayCreate } from '../forms/schema/forms.ts';
import { Link } from '../kit/link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { pageOf, useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { StatusIcon } from '../kit/status.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { pluralize, shortRevision } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import {
  addressIn,
  REPOS_ADDRESS,
  REPOS_VERSION,
  type RepoState,
  type RepoStates,
  STATES_ADDRESS,
  shownRepos,
  stateOf,
} from './config-repo.ts';
import { PastRepos } from './past-repos.tsx';

const EVERY_MS = 10_000;

export function ConfigReposPage() {
  useTitle('Config repos');
  const { refusal } = useMoment();
  const mayAdd = useMayCreate('config_repos') === true;
  return (
    <>
      <header class="page-header">
        <h1>Config repos</h1>
        <MomentSwitch />
        <span class="grow" />
        {currentSession()?.is_admin && refusal === undefined && (
          <Link href={pageOf.preflight()} class="button">
            Check files
          </Link>
        )}
        {mayAdd && refusal === undefined && (
          <Link href={pageOf.newConfigRepo()} class="button is-primary">
            Add a config repo
          </Link>
        )}
      </header>
      {refusal === undefined ? <PresentRepos mayAdd={mayAdd} /> : <PastRepos />}
    </>
  );
}

function PresentRepos({ mayAdd }: { readonly mayAdd: boolean }) {
  const read = useApi<RepoStates>(STATES_ADDRESS, REPOS_VERSION, {
    changedBy: ({ kind }) => kind === 'config' || kind === 'material' || kind === 'health',
    everyMs: EVERY_MS,
  });
  return (
    <Loaded read={read}>
      {({ _embedded: { config_repos: repos } }) => (repos.length === 0 ? <NoRepos mayAdd={mayAdd} /> : <Repos repos={repos} />)}
    </Loaded>
  );
}

const FIRST_REPO = `curl --user admin:PASSWORD ${location.origin}${addressOf(REPOS_ADDRESS)} \\
  --header 'Accept: application/vnd.svc.v${REPOS_VERSION}+json' --header 'Content-Type: application/json' \\
  --data '{"id": "team-a", "plugin_id": "yaml.config.plugin", "material": {"type": "git", "attributes": {"url": "https://…", "branch": "main"}},
    "rules": [{"directive": "allow", "action": "refer", "type": "*", "resource": "*"}]}'`;

function NoRepos({ mayAdd }: { readonly mayAdd: boolean }) {
  const none = currentSession()?.is_admin ? 'No repository defines pipelines yet.' : 'There is no config repo that you may see.';
  if (!mayAdd) return <Empty text={none} />;
  return (
    <Empty text={`${none} A config repo keeps pipelines as files beside the code that they build.`} command={FIRST_REPO}>
      <p>
        <Link href={pageOf.newConfigRepo()} class="button">
          Add a config repo
        </Link>
      </p>
    </Empty>
  );
}

function Repos({ repos }: { readonly repos: readonly RepoState[] }) {
  const [search, setSearch] = useParameter('q');
  const shown = useMemo(() => shownRepos(repos, search), [repos, search]);
  return (
    <>
      <search class="toolbar">
        <SearchField of="config repos" value={search} onChange={setSearch} />
        <span class="quiet" role="status">
          {shown.length === repos.length ? pluralize(repos.length, 'config repo') : `${shown.length} of ${repos.length}`}
        </span>
      </search>
      {shown.length === 0 ? (
        <Empty text="No config repo matches." />
      ) : (
        <div class="table-scroll">
          <table>
            <TableHead columns={['Config repo', 'State', 'Repository', 'Revision in effect']} />
            <tbody>
              {shown.map((repo) => (
                <RepoRow key={repo.id} repo={repo} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function RepoRow({ repo }: { readonly repo: RepoState }) {
  const { id, material, parse_info: info } = repo;
  const { icon, word } = stateOf(repo);
  const good = info.good_modification;
  return (
    <tr>
      <td>
        <Link href={pageOf.configRepo(id)}>{id}</Link>
      </td>
      <td>
        <span class={`status is-${icon}`}>
          <StatusIcon status={icon} /> {word}
        </span>
        {info.error && <p class="repo-error">{info.error}</p>}
      </td>
      <td class="quiet">{addressIn(material)}</td>
      <td>
        {good ? (
          <>
            <code title={good.revision}>{shortRevision(good.revision)}</code> <RelativeTime at={good.modified_time} />
          </>
        ) : (
          <span class="quiet">none</span>
        )}
      </td>
    </tr>
  );
}
