// Failures of requests to the server, in words for people.
import { type ApiFailure, failureOf as refusalOf } from '../../client/failure.ts';

export { ApiFailure, type FieldProblems } from '../../client/failure.ts';

/** The sentence to show for a thrown value, an error or not. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

export function failureOf(response: Response): Promise<ApiFailure> {
  return refusalOf(response, sentenceFor);
}

function sentenceFor(status: number): string {
  if (status === 401) return 'Your session has ended. Sign in again.';
  if (status === 403) return 'You are not allowed to do this. Ask an administrator for the right.';
  if (status === 404) return 'There is no such thing here.';
  if (status === 413) return 'This is too large.';
  if (status === 503) return 'The server is not ready. Try again in a moment.';
  return `The server answered with status ${status}.`;
}
