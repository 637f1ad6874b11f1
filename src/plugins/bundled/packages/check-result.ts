// Makes the result of a check, for an administrator, out of an attempt that may fail.
import type { CheckResult } from '../../../contracts/plugins/package-repository.ts';
import { HttpFailure } from './http.ts';

/** Something that is not as it should be in a repository, in words without secrets. */
export class RepositoryFailure extends Error {}

/** The attempt returns the messages of success. Faults of ours are thrown on. */
export async function checkResultOf(attempt: () => Promise<readonly string[]>): Promise<CheckResult> {
  try {
    return { isOk: true, messages: await attempt() };
  } catch (failure) {
    if (!(failure instanceof RepositoryFailure || failure instanceof HttpFailure)) throw failure;
    return { isOk: false, messages: [failure.message] };
  }
}
