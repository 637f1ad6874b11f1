// The current definitions of a config repo.
import { path } from '../api/address.ts';
import { type RepoSources, type Source, useRepoSources } from '../api/config-repo-sources.ts';
import { useApi } from '../api/queries.ts';
import { Link } from '../kit/link.tsx';
import { useMoment } from '../kit/moment.tsx';
import { pageOf } from '../kit/routing.ts';
import { webLink } from '../kit/source/web-link.ts';
import { Loaded } from '../kit/states.tsx';
import { type Definitions, REPOS_VERSION } from './config-repo.ts';

export function DefinedBy({ id }: { readonly id: string }) {
  const { at, addressOf } = useMoment();
  const read = useApi<Definitions>(addressOf(path`/api/admin/config_repos/${id}/definitions`), REPOS_VERSION, {
    changedBy: ({ kind }) => kind === 'config',
  });
  const sources = useRepoSources(id);
  const sourceLink = (kind: 'pipelines' | 'environments', name: string) =>
    // Lines are known only of the current definitions.
    at === undefined &&
    sources?.[kind]
      .filter((source) => source.name.toLowerCase() === name.toLowerCase())
      .map((source) => <SourceLink key={source.file} source={source} sources={sources} />);
  return (
    <section aria-label="What it defines">
      <h2>Defines</h2>
      <Loaded read={read}>
        {({ groups, environments }) =>
          groups.length + environments.length === 0 ? (
            <p class="quiet">Nothing: no file that was read defines a pipeline or an environment.</p>
          ) : (
            <ul class="definitions">
              {groups.map(({ name, pipelines }) => (
                <li key={`group ${name}`}>
                  <strong>{name}</strong>{' '}
                  {pipelines.map((pipeline) => (
                    <span key={pipeline.name}>
                      <Link href={pageOf.activity(pipeline.name)}>{pipeline.name}</Link> {sourceLink('pipelines', pipeline.name)}
                    </span>
                  ))}
                </li>
              ))}
              {environments.length > 0 && (
                <li>
                  <strong>Environments</strong>{' '}
                  {environments.map(({ name }) => (
                    <span key={name}>
                      <Link href={addressOf(pageOf.editEnvironment(name))}>{name}</Link> {sourceLink('environments', name)}
                    </span>
                  ))}
                </li>
              )}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** In short: there may be hundreds. */
function SourceLink({
  source: { file, line },
  sources: { repository, revision },
}: {
  readonly source: Source;
  readonly sources: RepoSources;
}) {
  const text = line === null ? file : `${file}:${line}`;
  const href = webLink(repository, { file, line, revision });
  if (href === undefined) return <code>{text}</code>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}
