// The dashboard of a server without pipelines, or of somebody who may see none.
import { addressOf } from '../api/address.ts';
import { currentSession } from '../api/session.ts';
import { Empty } from '../kit/states.tsx';

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
  if (session === undefined || !(session.is_admin || session.is_group_admin))
    return <Empty text="There is no pipeline that you may see. Ask an administrator for the right to view a group." />;
  return (
    <Empty
      text="There is no pipeline yet. Create the first one, with your repository in place of the example:"
      command={commandFor(session.login_name)}
    >
      <p>
        <a href={addressOf('/api/docs')} target="_blank" rel="noopener">
          What a pipeline can hold
        </a>
      </p>
    </Empty>
  );
}
