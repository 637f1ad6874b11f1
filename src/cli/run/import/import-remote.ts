// Sends a file to a server that runs, to be imported there.
import { FileRefused } from '../../../document/save/refused.ts';
import type { TextProblem } from '../../../kit/xml/tree.ts';
import { answerOf, askServer, reasonHeader, refusalOf } from '../../terminal/ask-server.ts';
import type { RemoteServer } from '../../terminal/target.ts';
import type { ImportResult } from './import-text.ts';

export interface RemoteImport {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string;
  readonly cipherKey: string | undefined;
  readonly server: RemoteServer;
  readonly isPlan: boolean;
}

/** Throws `FileRefused` with all that is wrong with the file. */
export async function importRemotely({ bytes, fileName, cipherKey, server, isPlan }: RemoteImport): Promise<ImportResult> {
  const response = await askServer(server, `/api/admin/config/import${isPlan ? '?dry_run=true' : ''}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'text/xml',
      ...reasonHeader(`import of ${fileName}`),
      ...(cipherKey !== undefined && { 'X-Svc-Cipher-Key': cipherKey }),
    },
    body: bytes,
  });
  const answer = await answerOf(response, server);
  if (Array.isArray(answer.errors)) throw new FileRefused(answer.errors as TextProblem[]);
  if (!response.ok) throw refusalOf(response, answer, server);
  const { created, changed, removed, unchanged, ignored, warnings = [], schema_version: version } = answer as unknown as ImportAnswer;
  const revision = response.headers.get('x-svc-revision');
  const plan = { created, changed, removed, unchanged, ignored, warnings };
  return { plan, version, revision: revision === null ? undefined : Number(revision) };
}

type ImportAnswer = ImportResult['plan'] & { readonly schema_version: number };
