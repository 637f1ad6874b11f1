// Saves the configuration as a whole: the document that a client has fetched and edited.
import { changedByOthers, involvedIn } from '../../../document/save/changed-by-others.ts';
import { MODIFIED, SaveCollision } from '../../../document/save/collision.ts';
import { collisionText, type FindLastChange, mergeText } from '../../../document/save/collision-text.ts';
import { readInWorker } from '../../../document/save/read-in-worker.ts';
import { FileRefused } from '../../../document/save/refused.ts';
import { type SaveParts, saveFile } from '../../../document/save/save.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { IGNORED_SCHEMA, PLAN_SCHEMA, planJson, WARNINGS_SCHEMA } from './json.ts';
import { FILE_FAILURES, FORM_HEADERS, fileBodies, MAX_FILE_BYTES, type PostedFile, readPostedFile, refusedAsError } from './posted-file.ts';
import { JSON_TYPE, REFUSED_FILE, refusedFile } from './refused-file.ts';
import { type ConfigDocument, type ConfigDocuments, EXAMPLE_DOCUMENT, neverWas, UNKNOWN_MD5 } from './routes.ts';

export interface ConfigXmlSaveParts extends SaveParts {
  readonly documents: ConfigDocuments;
  readonly lastChange: FindLastChange;
}

const MD5_HEADER = 'X-CRUISE-CONFIG-MD5';
const MD5_FIELD = 'md5';
const ANY_VERSION = '*';
/** What clients of GoCD look for. */
const MALFORMED = 'Invalid Configuration - ';
const DONE = { result: 'File changed successfully.' };
const noSuchBase = (md5: string): string => `${MODIFIED}\n${neverWas(md5.slice(0, 100))}`;
const NO_BASE = `Say which document this is based on: by the field ${MD5_FIELD} of the form, or by the header ${MD5_HEADER} or If-Match.`;

const EXAMPLE_PROBLEM = { line: 3, column: 5, message: '"Name" is required for Environment' };

const description: RouteDescription = {
  chapter: 'config-xml',
  summary: 'Save the configuration as a whole',
  details: [
    'The document is compared with the one it is based on. What it changes, creates and removes becomes one revision; what others have changed since stays, unless both have changed the same entity. Settings that a plugin does not accept are saved all the same: `warnings` and the health messages report them.',
    `Sent as the body, or as the field \`xmlFile\` of a form, which needs the header \`X-Svc-Confirm\`. \`dry_run\` answers with the plan.`,
  ].join('\n\n'),
  bodies: fileBodies(EXAMPLE_DOCUMENT, { [MD5_FIELD]: { ...TEXT, description: 'The MD5 of the document this is based on.' } }),
  headers: {
    [MD5_HEADER]: { ...TEXT, description: 'The MD5 of the document this is based on; a form has it in the field `md5`.' },
    'If-Match': {
      ...TEXT,
      description: 'The same as ETag; `*`: the document holds, even where other users have changed the configuration since.',
    },
    ...FORM_HEADERS,
  },
  response: {
    anyOf: [
      {
        ...objectSchema({ result: described(TEXT, 'What was done, in words.'), ignored: IGNORED_SCHEMA, warnings: WARNINGS_SCHEMA }),
        required: ['result'],
      },
      PLAN_SCHEMA,
    ],
  },
  example: DONE,
  changes: 'configuration',
  failures: {
    ...FILE_FAILURES,
    400: { when: 'The confirm header, the MD5 or the field of the form is missing.', example: { message: NO_BASE, error: NO_BASE } },
    404: {
      ...REFUSED_FILE,
      when: 'Something in the document is wrong: `result` and `errors` say what, line by line.',
      example: {
        result: `line ${EXAMPLE_PROBLEM.line}: ${EXAMPLE_PROBLEM.message}`,
        errors: [EXAMPLE_PROBLEM],
      },
    },
    409: {
      ...REFUSED_FILE,
      when: 'The document it is based on never was, or others have changed the same entities since: `result` says which, who and when. Or what comes out, together with what others have changed since, is wrong.',
      example: { result: noSuchBase(UNKNOWN_MD5) },
    },
  },
};

export function configXmlSaveRoute(parts: ConfigXmlSaveParts): Route {
  return {
    method: 'POST',
    path: '/api/admin/config.xml',
    version: null,
    permission: 'admin',
    notAllowed: ({ loginName }) => refusedAsError('forbidden', `User '${loginName}' does not have permissions to administer`),
    rawBody: { maxBytes: MAX_FILE_BYTES },
    description,
    handle: (request) => save(request, parts),
  };
}

async function save(request: ApiRequest, parts: ConfigXmlSaveParts): Promise<Answer> {
  const { author, isDryRun } = request;
  const posted = await readPostedFile(request);
  const { bytes } = posted;
  const md5 = basedOn(posted, request);
  const base = md5 === ANY_VERSION ? undefined : await documentWith(md5, parts.documents);
  if (base === undefined && md5 !== ANY_VERSION) {
    return refusedFile(409, noSuchBase(md5));
  }
  const kinds = [...parts.config.kinds.values()];
  const [file, baseFile] = await Promise.all([readInWorker(bytes, kinds), base && readInWorker(base.bytes, kinds)]);
  try {
    const { plan, draft, revision } = await saveFile({ file, base: baseFile, mode: 'whole' }, author, { dryRun: isDryRun }, parts);
    if (isDryRun) request.noteDryRun(draft);
    // Parts of the file for which this server has no place are reported, not dropped in silence.
    const { ignored, warnings } = plan;
    const done = { ...DONE, ...(ignored.length > 0 && { ignored }), ...(warnings.length > 0 && { warnings }) };
    return jsonAnswer(isDryRun ? planJson(plan, file.version) : done, { type: JSON_TYPE, revision });
  } catch (failure) {
    if (failure instanceof FileRefused) {
      // A file that is only wrong together with changes of other users since is a matter of merging.
      const now = baseFile && file.problems.length === 0 ? await parts.documents.current() : undefined;
      if (!now || now.md5 === base?.md5) {
        return refusedFile(404, `${file.isMalformed ? MALFORMED : ''}${failure.message}`, failure.problems);
      }
      const others = changedByOthers(baseFile!, await readInWorker(now.bytes, kinds), parts.config.kinds);
      const result = await mergeText(failure, involvedIn(failure, others), parts.lastChange);
      return refusedFile(409, result, failure.inFile);
    }
    if (failure instanceof SaveCollision) return refusedFile(409, await collisionText(failure, parts.lastChange));
    throw failure;
  }
}

function basedOn({ field }: PostedFile, request: ApiRequest): string {
  const ifMatch = request.header('if-match')?.trim().replace(/^W\//, '').replace(/^"|"$/g, '');
  const md5 = field(MD5_FIELD) || request.header(MD5_HEADER.toLowerCase())?.trim() || ifMatch;
  if (!md5) throw refusedAsError('malformed', NO_BASE);
  return md5.toLowerCase();
}

async function documentWith(md5: string, documents: ConfigDocuments): Promise<ConfigDocument | undefined> {
  const now = await documents.current();
  return now.md5 === md5 ? now : documents.find(md5);
}
