// What a config repo defines now.
import { path } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { Shown } from '../kit/states.tsx';
import { type Definitions, REPOS_VERSION } from './config-repo.ts';

export function DefinedBy({ id }: { readonly id: string }) {
  const read = useApi<Definitions>(path`/api/admin/config_repos/${id}/definitions`, REPOS_VERSION, {
    changedBy: ({ kind }) => kind === 'config',
  });
  return (
    <section aria-label="What it defines">
      <h2>Defines</h2>
      <Shown read={read}>
        {({ groups, environments }) =>
          groups.length + environments.length === 0 ? (
            <p class="quiet">Nothing is in effect.</p>
          ) : (
            <ul class="definitions">
              {groups.map(({ name, pipelines }) => (
                <li key={`group ${name}`}>
                  <strong>{name}</strong>{' '}
                  {pipelines.map((pipeline) => (
                    <Link key={pipeline.name} href={pageOf.activity(pipeline.name)}>
                      {pipeline.name}
                    </Link>
                  ))}
                </li>
              ))}
              {environments.length > 0 && (
                <li>
                  <strong>Environments</strong>{' '}
                  {environments.map(({ name }) => (
                    <Link key={name} href={pageOf.editEnvironment(name)}>
                      {name}
                    </Link>
                  ))}
                </li>
              )}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}
