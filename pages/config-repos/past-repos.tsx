// Config repos as they were configured. The results of their revisions are only known as of now.
import { useApi } from '../api/queries.ts';
import { Link } from '../kit/link.tsx';
import { useMoment } from '../kit/moment.tsx';
import { pageOf } from '../kit/routing.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import { addressIn, type ConfigRepo, REPOS_ADDRESS, REPOS_VERSION } from './config-repo.ts';

interface RepoList {
  readonly _embedded: { readonly config_repos: readonly ConfigRepo[] };
}

export function PastRepos() {
  const { addressOf } = useMoment();
  const read = useApi<RepoList>(addressOf(REPOS_ADDRESS), REPOS_VERSION);
  return (
    <Loaded read={read}>
      {({ _embedded: { config_repos: repos } }) =>
        repos.length === 0 ? (
          <Empty text="There was no config repo that you may see." />
        ) : (
          <div class="table-scroll">
            <table>
              <thead>
                <tr>
                  {['Config repo', 'Repository', 'Plugin'].map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {repos.map(({ id, material, plugin_id: plugin }) => (
                  <tr key={id}>
                    <td>
                      <Link href={addressOf(pageOf.configRepo(id))}>{id}</Link>
                    </td>
                    <td class="quiet">{addressIn(material)}</td>
                    <td>{plugin}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Loaded>
  );
}
