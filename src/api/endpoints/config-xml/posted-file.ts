// A configuration file as it was sent: as the body, or as a field of a form.

import { pause } from '../../../kit/concurrency/time-slices.ts';
import { isForm, readForm } from '../../../kit/form/form.ts';
import { Refusal, type RefusalKind } from '../../../kit/refusal.ts';
import type { JsonSchema } from '../../../shape/json/json.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import type { ApiRequest, RouteDescription } from '../../engine/route.ts';
import { confirmations } from '../../http/body/body.ts';
import { unpackedBody } from '../../http/body/unpacked-body.ts';
import { DEFAULT_VENDOR } from '../../http/headers/vendor.ts';

export interface PostedFile {
  readonly bytes: Buffer;
  /** Another field of the form; undefined when it was not sent, or the file is the whole body. */
  field(name: string): string | undefined;
}

const FILE_FIELD = 'xmlFile';
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
const XML_TYPES: ReadonlySet<string> = new Set(['text/xml', 'application/xml']);
const NO_FILE = `Send the file as text/xml, or as the field ${FILE_FIELD} of a form.`;
const CONFIRM_HEADER = `X-${DEFAULT_VENDOR.header}-Confirm`;

/** The bodies that a file can be sent in, for the documentation; forms may have further fields. */
export function fileBodies(example: string, fields: Readonly<Record<string, JsonSchema>>): NonNullable<RouteDescription['bodies']> {
  const form = {
    schema: { type: 'object', required: [FILE_FIELD], properties: { [FILE_FIELD]: { ...TEXT, description: 'The file.' }, ...fields } },
    example: { [FILE_FIELD]: example },
  };
  return { 'text/xml': { schema: TEXT, example }, 'application/x-www-form-urlencoded': form, 'multipart/form-data': form };
}

/** The header that a form needs, for the documentation. */
export const FORM_HEADERS: Readonly<Record<string, JsonSchema>> = {
  [CONFIRM_HEADER]: { ...TEXT, description: 'Needed with a form; `true`.' },
};

/** The failures of sending a file, for the documentation. */
export const FILE_FAILURES = {
  413: { when: `The file is larger than ${MAX_FILE_BYTES} bytes.` },
  415: {
    when: 'The file is neither sent as XML nor in a form, or it is compressed in a way that is not known here; gzip is.',
    example: { message: NO_FILE },
  },
} satisfies RouteDescription['failures'];

/** A page of another site can make a browser send a form, but no header and no XML. */
export async function readPostedFile(request: ApiRequest): Promise<PostedFile> {
  const contentType = request.header('content-type') ?? '';
  if (!isForm(contentType)) {
    if (isXml(request)) return { bytes: await bytesOf(request), field: () => undefined };
    throw new Refusal('unsupportedContent', NO_FILE);
  }
  if (!confirmations((name) => request.header(name)).some(isYes))
    throw refusedAsError('unconfirmed', `Missing required header \`${CONFIRM_HEADER}\``);
  const fields = await readForm(await bytesOf(request), contentType, pause);
  const bytes = fields?.get(FILE_FIELD);
  if (bytes) return { bytes, field: (name) => fields?.get(name)?.toString('utf8').trim() };
  throw refusedAsError('malformed', fields ? `The form has no field ${FILE_FIELD}.` : 'The form is cut off, or its boundary is missing.');
}

export function isXml({ raw: { type } }: ApiRequest): boolean {
  return XML_TYPES.has(type);
}

/** A client may have compressed it. */
export async function bytesOf(request: ApiRequest): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of unpackedBody(request, MAX_FILE_BYTES)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Here, other than elsewhere, GoCD looks at the value. */
function isYes(value: string): boolean {
  return value.trim().toLowerCase() === 'true';
}

/** GoCD says `error` where all other routes say `message`. */
export function refusedAsError(kind: RefusalKind, error: string): Refusal {
  return new Refusal(kind, error, { more: { error } });
}
