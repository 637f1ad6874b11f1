// Copies of one repository must agree on whether it is polled.
import { type Repository, repositoryIdentity } from './materials.ts';

/** The mark an owner leaves for each repository it polls, or does not poll. */
export function autoUpdateMark(repository: Repository, isPolled: boolean): string {
  return `${isPolled ? 'polled' : 'not polled'} ${repositoryIdentity(repository)}`;
}
