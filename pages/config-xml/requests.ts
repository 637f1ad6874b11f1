// Reads, checks and saves the document.
import { getJson, type RequestOptions, request, send } from '../api/client.ts';
import { ApiFailure, messageOf } from '../api/failure.ts';
import { addressAt } from '../kit/moment-text.ts';
import {
  type CheckResult,
  type ConfigDocument,
  checkResultOf,
  DOCUMENT_ADDRESS,
  type FilePlan,
  NEWEST_ADDRESS,
  NEWEST_VERSION,
} from './document.ts';

export interface Newest {
  readonly _embedded: { readonly revisions: readonly { readonly revision: number }[] };
}

/** Reads the document at a moment, or now. The current document is read at the newest revision, too, so that a later revision is noticed. */
export async function readDocument(at: string | undefined, signal: AbortSignal): Promise<ConfigDocument> {
  const moment = at ?? String(await newestRevision(signal));
  const response = await request(addressAt(DOCUMENT_ADDRESS, moment), { signal });
  const { headers } = response;
  return {
    text: await response.text(),
    md5: headers.get('X-CRUISE-CONFIG-MD5') ?? '',
    revision: Number(headers.get('X-Svc-Revision') ?? moment),
  };
}

async function newestRevision(signal: AbortSignal): Promise<number> {
  const { _embedded } = await getJson<Newest>(NEWEST_ADDRESS, NEWEST_VERSION, signal);
  return _embedded.revisions[0]?.revision ?? 0;
}

export async function checkDocument(text: string, md5: string, signal: AbortSignal): Promise<CheckResult> {
  try {
    const plan = await send<FilePlan>(`${DOCUMENT_ADDRESS}?dry_run=true`, { ...writing(text, md5), signal });
    return plan === undefined ? { is: 'unknown', message: 'The server said nothing.' } : { is: 'fine', plan };
  } catch (failure) {
    if (signal.aborted) throw failure;
    return failure instanceof ApiFailure ? checkResultOf(failure) : { is: 'unknown', message: messageOf(failure) };
  }
}

/** The number of the revision that it made; undefined: nothing was different. */
export async function saveDocument(text: string, md5: string, reason: string): Promise<number | undefined> {
  try {
    const { headers } = await request(DOCUMENT_ADDRESS, { ...writing(text, md5), reason });
    const made = headers.get('X-Svc-Revision');
    return made === null ? undefined : Number(made);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    const result = checkResultOf(failure);
    throw result.is === 'fine' ? failure : new ApiFailure(failure.status, result.message, {}, failure.retryAfter, failure.answer);
  }
}

/** The document it is based on is named, so that changes of others since are kept. */
function writing(text: string, md5: string): RequestOptions {
  return { method: 'POST', file: { type: 'text/xml', text }, ifMatch: `"${md5}"` };
}
