// Picks values out of a JSON document that a package repository has answered with.
import type { PollTools } from '../../../contracts/plugins/poll-tools.ts';
import { type JsonSelection, NotJson, pickFromJson } from '../../../kit/text/json-pick.ts';
import { RepositoryFailure } from './check-result.ts';
import { contentOf, type HttpAnswer, shown } from './http.ts';

/** `read` makes something of the values found; a message about a document that is no JSON names its address. */
export async function readJson<T>(answer: HttpAnswer, wanted: readonly JsonSelection[], read: () => T, tools: PollTools): Promise<T> {
  try {
    await pickFromJson(contentOf(answer, tools), wanted);
    return read();
  } catch (failure) {
    if (!(failure instanceof NotJson)) throw failure;
    throw new RepositoryFailure(`${shown(answer.url)} is not answered with JSON that can be read. ${failure.message}`);
  }
}
