// The run that the examples of builds show: a pipeline of the same name, one passed run of it, and the agent that has built it.
import { BuildLab, git, stage } from '../../builds/engine/lab.ts';
import type { GitOrigin } from '../../materials/support/git-origin.ts';
import { accepted } from '../requests/callers.ts';
import type { FakeAgent } from './fake-agent.ts';

export const EXAMPLE_AGENT = '8a1b6f0e-3c57-4d92-9f0a-5b7c2e4d6a18';
const PIPELINE = 'web';
const LINE = '##|09:30:00.123 [Slipway] Start to prepare web/1/build/1/compile on agent-1\n';

export interface ExampleRuns {
  readonly lab: BuildLab;
  readonly agent: FakeAgent;
  readonly origin: GitOrigin;
}

export async function startExampleRuns(options: Readonly<Record<string, string>> = {}): Promise<ExampleRuns> {
  const lab = await BuildLab.start(options);
  for (const name of ['staging', 'production']) accepted(await lab.server.post('/api/admin/environments', { name }));
  const agent = await lab.agent({ uuid: EXAMPLE_AGENT, hostname: 'agent-01.example.com', resources: ['linux', 'java'] });
  const origin = await lab.origin(PIPELINE);
  await lab.pipeline(PIPELINE, {
    materials: [git(origin)],
    stages: [stage('build')],
    lock_behavior: 'lockOnFailure',
    environment_variables: [
      { name: 'MODE', value: 'test', secure: false },
      { name: 'TOKEN', value: 'hush', secure: true },
    ],
  });
  await lab.poll(PIPELINE);
  const work = await agent.take();
  await agent.begin(work);
  await agent.print(work, LINE);
  await agent.complete(work);
  await lab.result(PIPELINE, 1, 'build');
  return { lab, agent, origin };
}
