// Importing a configuration file of another server: its entities are created or changed, all others are left alone.
import { readInWorker } from '../../../document/save/read-in-worker.ts';
import { FileRefused } from '../../../document/save/refused.ts';
import { type SaveParts, saveFile } from '../../../document/save/save.ts';
import { KEY_RULE, type OpenSecret, readImportedKey } from '../../../document/upgrade/imported-cipher.ts';
import type { ImportedKeys } from '../../../document/upgrade/imported-keys.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { FILE_EXAMPLE, PLAN_EXAMPLE, PLAN_SCHEMA, planJson } from './json.ts';
import { FILE_FAILURES, FORM_HEADERS, fileBodies, MAX_FILE_BYTES, type PostedFile, readPostedFile } from './posted-file.ts';
import { JSON_TYPE } from './refused-file.ts';

const KEY_HEADER = 'X-Svc-Cipher-Key';
const KEY_FIELD = 'cipherKey';
const REFUSED = 'The file is refused and nothing was changed.';

const description: RouteDescription = {
  chapter: 'config-xml',
  summary: 'Import a configuration file',
  details: [
    'Takes files of GoCD, from schema version 100 on. All of it becomes one revision, or nothing does; importing it again changes nothing. Settings that a plugin does not accept are taken over all the same: `warnings` and the health messages report them.',
    `Sent as the body, or as the field \`xmlFile\` of a form, which needs the header \`X-Svc-Confirm\`. With \`dry_run\` the answer is what would happen.`,
  ].join('\n\n'),
  bodies: fileBodies(FILE_EXAMPLE, { [KEY_FIELD]: { ...TEXT, description: 'The same as X-Svc-Cipher-Key.' } }),
  headers: {
    ...FORM_HEADERS,
    [KEY_HEADER]: {
      ...TEXT,
      description: `The content of the key file (cipher.aes, or cipher.key of a Slipway) of the server that wrote the file; a form may have it in the field \`${KEY_FIELD}\`. It is kept: what that server has encrypted is understood everywhere from then on.`,
    },
  },
  response: PLAN_SCHEMA,
  example: PLAN_EXAMPLE,
  changes: 'configuration',
  failures: {
    ...FILE_FAILURES,
    400: { when: 'The confirm header or the field of the form is missing, or the key is no key.', example: { message: KEY_RULE } },
    422: {
      when: 'Something in the file is wrong; `errors` say what, and in which line.',
      example: { message: REFUSED, errors: [{ line: 6, column: 1, message: "Pipeline 'app': URL cannot be blank" }] },
    },
  },
};

export interface ImportParts extends SaveParts {
  readonly importedKeys: Pick<ImportedKeys, 'keep'>;
}

export function configImportRoute(parts: ImportParts): Route {
  return {
    method: 'POST',
    path: '/api/admin/config/import',
    version: null,
    permission: 'admin',
    rawBody: { maxBytes: MAX_FILE_BYTES },
    description,
    handle: (request) => importFile(request, parts),
  };
}

async function importFile(request: ApiRequest, parts: ImportParts): Promise<Answer> {
  const { author, isDryRun } = request;
  const posted = await readPostedFile(request);
  const key = keyIn(posted, request);
  const file = await readInWorker(posted.bytes, parts.config.kinds.values());
  try {
    const { plan, draft, revision } = await saveFile({ file, mode: 'import', open: key?.open }, author, { dryRun: isDryRun }, parts);
    if (isDryRun) request.noteDryRun(draft);
    else if (key) parts.importedKeys.keep(key.text);
    return jsonAnswer(planJson(plan, file.version), { type: JSON_TYPE, revision });
  } catch (failure) {
    if (failure instanceof FileRefused) throw new Refusal('invalid', REFUSED, { more: { errors: failure.problems } });
    throw failure;
  }
}

function keyIn({ field }: PostedFile, request: ApiRequest): { readonly text: string; readonly open: OpenSecret } | undefined {
  const text = field(KEY_FIELD) || request.header(KEY_HEADER.toLowerCase());
  if (!text) return undefined;
  const open = readImportedKey(text);
  if (!open) throw new Refusal('malformed', KEY_RULE);
  return { text, open };
}
