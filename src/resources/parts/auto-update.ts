// Copies of one repository must agree on whether it is polled.
import { repositoryDefinition } from '../../materials/types/list.ts';
import { type Repository, repositoryIdentity, shownRepository } from './materials.ts';

/** The tag an owner carries for each repository it polls, or does not poll. */
export function autoUpdateTag(repository: Repository, isPolled: boolean): string {
  return `${isPolled ? 'polled' : 'not polled'} ${repositoryIdentity(repository)}`;
}

/** A pipeline or config repo that has a copy of the repository. */
export interface Copy {
  readonly id: string;
  readonly isPolled: boolean;
}

/** The message about copies that do not agree; a config repo among them is named apart. */
export function autoUpdateConflict(repository: Repository, pipelines: readonly Copy[], configRepo?: Copy): string {
  const what = `The material of type ${repositoryDefinition(repository.type).title} (${shownRepository(repository)}) is used elsewhere with a different value for autoUpdate (poll for changes).`;
  const lines = pipelines.map((pipeline) => ` ${worded(pipeline)}`).join(',\n');
  if (!configRepo) return `${what} Those values should be the same. Pipelines:\n${lines}`;
  const remedy = 'All copies of this material must have the same autoUpdate setting or configuration repository must be removed.';
  return `${what} ${remedy}\nConfig Repository: ${worded(configRepo)}.\nPipelines:\n${lines}\n`;
}

function worded({ id, isPolled }: Copy): string {
  return `${id} (auto update ${isPolled ? 'enabled' : 'disabled'})`;
}
