// The configuration document of a server to measure with.
import type { RequestLine } from '../connection.ts';

export const DOCUMENT_PATH = '/api/admin/config.xml';
const NEVER_WAS = '0'.repeat(32);

export function getDocument(authorization: string): RequestLine {
  return { method: 'GET', path: DOCUMENT_PATH, headers: { Authorization: authorization } };
}

export async function readDocument(url: string, authorization: string): Promise<string> {
  const answer = await fetch(url + DOCUMENT_PATH, { headers: { Authorization: authorization } });
  if (answer.status !== 200) throw new Error(`The document could not be read: status ${answer.status}.`);
  return answer.text();
}

export async function importDocument(url: string, authorization: string, document: string): Promise<void> {
  const headers = { Authorization: authorization, 'Content-Type': 'text/xml' };
  const answer = await fetch(`${url}/api/admin/config/import`, { method: 'POST', headers, body: document });
  if (answer.status !== 200) throw new Error(`The document could not be imported: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** A request for a document that never existed is answered when the history has every revision. */
export async function historyCaughtUp(url: string, authorization: string): Promise<void> {
  const answer = await fetch(`${url}/api/admin/config/${NEVER_WAS}.xml`, { headers: { Authorization: authorization } });
  if (answer.status !== 404) throw new Error(`The history could not be asked: status ${answer.status}.`);
  await answer.arrayBuffer();
}
