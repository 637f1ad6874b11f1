// Sends a file to a server that runs, to be imported there.
import { FileRefused } from '../document/save/refused.ts';
import type { TextProblem } from '../kit/xml/tree.ts';
import type { ImportResult } from './import-text.ts';
import type { RemoteServer } from './target.ts';

export interface ImportThere {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string;
  readonly cipherKey: string | undefined;
  readonly server: RemoteServer;
  readonly isPlan: boolean;
}

/** What the server says when it refuses, whatever the reason. */
export class ServerRefused extends Error {}

/** Throws `FileRefused` with all that is wrong with the file. */
export async function importThere({
  bytes,
  fileName,
  cipherKey,
  server: { url, authorization },
  isPlan,
}: ImportThere): Promise<ImportResult> {
  const response = await fetch(`${url}/api/admin/config/import${isPlan ? '?dry_run=true' : ''}`, {
    method: 'POST',
    headers: {
      Authorization: authorization,
      'Content-Type': 'text/xml',
      // A header takes bytes: UTF-8 read as Latin-1.
      'X-Svc-Reason': Buffer.from(`import of ${fileName}`, 'utf8').toString('latin1'),
      ...(cipherKey !== undefined && { 'X-Svc-Cipher-Key': cipherKey }),
    },
    body: bytes,
  }).catch((failure: Error) => {
    throw new ServerRefused(`${url} cannot be reached: ${(failure.cause as Error | undefined)?.message ?? failure.message}`);
  });
  const answer = await answerOf(response, url);
  if (Array.isArray(answer.errors)) throw new FileRefused(answer.errors as TextProblem[]);
  if (!response.ok) throw new ServerRefused(`${url} refused: ${String(answer.message)} (${response.status})`);
  const { created, changed, removed, unchanged, ignored, schema_version: version } = answer as unknown as ImportAnswer;
  const revision = response.headers.get('x-svc-revision');
  return { plan: { created, changed, removed, unchanged, ignored }, version, revision: revision === null ? undefined : Number(revision) };
}

type ImportAnswer = ImportResult['plan'] & { readonly schema_version: number };

async function answerOf(response: Response, url: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch {
    throw new ServerRefused(`${url} does not answer as a Slipway server does (${response.status}).`);
  }
}
