// How a pipeline of a config repo gets into an environment: by the files of the repo, not by a form.
import type { PipelineName } from '../api/pipeline-names.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { Command } from '../kit/states.tsx';
import { environmentYaml } from './environment.ts';

interface RepoPipelinesProps {
  readonly environment: string;
  /** Pipelines that config repos define, and that are not in the environment. */
  readonly pipelines: readonly PipelineName[];
  /** The chosen and the typed names, in lower case: some of these pipelines may be among them. */
  readonly wanted: ReadonlySet<string>;
}

export function RepoPipelines({ environment, pipelines, wanted }: RepoPipelinesProps) {
  const sought = pipelines.find(({ name }) => wanted.has(name.toLowerCase()));
  const shown = sought ?? pipelines[0];
  if (shown === undefined || shown.origin === null) return null;
  return (
    <details class="repo-pipelines" open={sought !== undefined}>
      <summary>
        {sought === undefined
          ? 'Pipelines of config repos are added in their files'
          : `${sought.name} is defined by the config repo ${sought.origin}, and is added in its files`}
      </summary>
      <p>
        Write this into a file of <Link href={pageOf.configRepo(shown.origin)}>{shown.origin}</Link>, and allow the environment in the{' '}
        <Link href={pageOf.editConfigRepo(shown.origin)}>rules</Link> of the repo. What you set here, such as variables, counts for the
        pipeline, too.
      </p>
      <Command text={environmentYaml(environment, shown.name)} />
    </details>
  );
}
