// Reads from the JSON APIs of GitHub and GitLab, page by page.
import { LoginFailure } from '../../../../contracts/plugins/web-login.ts';
import { providerFetch, shown } from './provider-fetch.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export interface ProviderApi {
  /** The address, without a slash at its end. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 20;

/** The status of an answer whose content does not matter. */
export async function statusOf(api: ProviderApi, path: string): Promise<number> {
  return (await get(api, path)).status;
}

export async function recordAt(api: ProviderApi, path: string): Promise<JsonRecord> {
  const found = await jsonAt(api, path);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw unexpected(api, path);
  return found as JsonRecord;
}

/** All pages of a list, up to a maximum. */
export async function recordsAt(api: ProviderApi, path: string): Promise<readonly JsonRecord[]> {
  const all: JsonRecord[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const found = await jsonAt(api, `${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE_SIZE}&page=${page}`);
    if (!Array.isArray(found)) throw unexpected(api, path);
    all.push(...found.filter((one): one is JsonRecord => typeof one === 'object' && one !== null));
    if (found.length < PAGE_SIZE) break;
  }
  return all;
}

export function textIn(record: JsonRecord, key: string): string | undefined {
  const value = record[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Ids are numbers that never change. */
export function idIn(record: JsonRecord): string | undefined {
  return typeof record.id === 'number' && Number.isSafeInteger(record.id) ? String(record.id) : undefined;
}

async function jsonAt(api: ProviderApi, path: string): Promise<unknown> {
  const answer = await get(api, path);
  if (!answer.ok) {
    const reason = answer.status >= 500 || answer.status === 429 ? 'away' : 'invalid';
    throw new LoginFailure(reason, `${shown(addressOf(api, path))} was answered with status ${answer.status}.`);
  }
  try {
    return await answer.json();
  } catch {
    throw unexpected(api, path);
  }
}

function get(api: ProviderApi, path: string): Promise<Response> {
  return providerFetch(addressOf(api, path).href, { headers: api.headers });
}

function addressOf({ base }: ProviderApi, path: string): URL {
  return new URL(`${base}${path}`);
}

function unexpected(api: ProviderApi, path: string): LoginFailure {
  return new LoginFailure('invalid', `${shown(addressOf(api, path))} was not answered with the JSON that was expected.`);
}
