// The dashboard of a server without pipelines, or of a user who may see none.
import { addressOf } from '../api/address.ts';
import { administersPipelines, currentSession } from '../api/session.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { Command, Empty } from '../kit/states.tsx';

const FIRST = {
  group: 'first',
  pipeline: {
    name: 'hello',
    materials: [{ type: 'git', attributes: { url: 'https://example.org/hello.git', branch: 'main' } }],
    stages: [{ name: 'build', jobs: [{ name: 'build', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
  },
};

function commandFor(loginName: string): string {
  const address = new URL(addressOf('/api/admin/pipelines'), location.href).href;
  return [
    `curl --user '${loginName.replaceAll("'", "'\\''")}' ${address} \\`,
    "  --header 'Accept: application/vnd.svc+json' --header 'Content-Type: application/json' \\",
    `  --data '${JSON.stringify(FIRST, null, 2)}'`,
  ].join('\n');
}

export function NoPipelines() {
  const session = currentSession();
  if (session === undefined || !administersPipelines(session))
    return <Empty text="There is no pipeline that you may see. Ask an administrator for the right to view a group." />;
  return (
    <Empty
      text={
        session.is_admin
          ? 'There is no pipeline yet. Make the first one here, or add a repository whose files define pipelines.'
          : 'There is no pipeline yet. Make the first one.'
      }
    >
      <p class="empty-actions">
        <Link href={pageOf.newPipeline()} class="button is-primary">
          Make a pipeline
        </Link>
        {session.is_admin && (
          <Link href={pageOf.newConfigRepo()} class="button">
            Add a config repo
          </Link>
        )}
      </p>
      <details>
        <summary>By the command line</summary>
        <Command text={commandFor(session.login_name)} />
        <p>
          <a href={addressOf('/api/docs')} target="_blank" rel="noopener">
            What a pipeline can hold
          </a>
        </p>
      </details>
    </Empty>
  );
}
