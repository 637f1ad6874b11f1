// Asks a server that runs, and says in plain words when it does not answer as it should.
import type { RemoteServer } from './target.ts';

/** What the server says when it refuses, whatever the reason. */
export class ServerRefused extends Error {}

export function askServer({ url, authorization }: RemoteServer, path: string, ask: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: authorization, ...(ask.headers as Readonly<Record<string, string>>) };
  return fetch(`${url}${path}`, { ...ask, headers }).catch((failure: Error) => {
    throw new ServerRefused(`${url} cannot be reached: ${(failure.cause as Error | undefined)?.message ?? failure.message}`);
  });
}

/** The JSON of an answer. */
export async function answerOf(response: Response, { url }: RemoteServer): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch {
    throw new ServerRefused(`${url} does not answer as a Slipway server does (${response.status}).`);
  }
}

/** Why it did not do it. */
export function refusalOf({ status }: Response, { message }: Readonly<Record<string, unknown>>, { url }: RemoteServer): ServerRefused {
  return new ServerRefused(`${url} refused: ${String(message)} (${status})`);
}

/** A header takes bytes: UTF-8 read as Latin-1. */
export function reasonHeader(reason: string): Readonly<Record<string, string>> {
  return { 'X-Svc-Reason': Buffer.from(reason, 'utf8').toString('latin1') };
}
