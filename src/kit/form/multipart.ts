// The parts of a `multipart/form-data` body, in the order in which they were sent.

export interface PartHead {
  /** undefined: it has none, or is not part of a form. */
  readonly name: string | undefined;
  /** As the sender spelled it, for a part that is a file. Nothing is known of whether it can be trusted. */
  readonly filename: string | undefined;
  /** A file name that cannot be decoded, as it was written; absent: there is none such. */
  readonly unreadableName?: string;
}

export interface FormPart extends PartHead {
  readonly bytes: Buffer;
}

export const BLANK_LINE = '\r\n\r\n';
export const MAX_HEAD_BYTES = 16 * 1024;
const NAME = /^content-disposition:[^\S\r\n]*form-data\b[^\r\n]*?;\s*name=(?:"((?:[^"\\\r\n]|\\.)*)"|([^;\s"]+))/im;
const FILENAME = /^content-disposition:[^\S\r\n]*form-data\b[^\r\n]*?;\s*filename=(?:"((?:[^"\\\r\n]|\\.)*)"|([^;\s"]+))/im;
/** The name in another form, for characters beyond ASCII: percent-encoded, after the name of a charset and maybe that of a language. */
const EXTENDED = /^content-disposition:[^\S\r\n]*form-data\b[^\r\n]*?;\s*filename\*\s*=\s*(?:"([^"\r\n]*)"|([^;\r\n]*))/im;
const ENCODED = /^utf-8'[^']*'((?:[^%'\s]|%[0-9a-f]{2})*)$/i;

export function boundaryIn(contentType: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}

/** The caller can stop early. Returns false at the end when the body is cut off, or is no such form. */
export function* formParts(body: Buffer, boundary: string): Generator<FormPart, boolean> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first one may stand at the very beginning, without a line break before it.
  let at = body.indexOf(delimiter.subarray(2));
  if (at !== 0 && body.subarray(at - 2, at).toString('latin1') !== '\r\n') return false;
  for (at += delimiter.length - 2; body.subarray(at, at + 2).toString('latin1') !== '--'; ) {
    const headEnd = body.indexOf(BLANK_LINE, at);
    const end = headEnd < 0 ? -1 : body.indexOf(delimiter, headEnd + 2);
    if (end < 0 || headEnd - at > MAX_HEAD_BYTES) return false;
    const head = body.subarray(at, headEnd).toString('utf8');
    const start = Math.min(headEnd + BLANK_LINE.length, end);
    yield { ...readHead(head), bytes: body.subarray(start, end) };
    at = end + delimiter.length;
  }
  return true;
}

/** Reads the headers of a part. */
export function readHead(head: string): PartHead {
  return { name: valueIn(head, NAME), ...fileNameIn(head) };
}

/** Quotation marks inside of a value come as `\"` or as `%22`, depending on the client. */
function valueIn(head: string, pattern: RegExp): string | undefined {
  const [, quoted, bare] = pattern.exec(head) ?? [];
  return quoted?.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? bare;
}

/** Where both forms are given, the one that can say everything counts. */
function fileNameIn(head: string): Omit<PartHead, 'name'> {
  const [extended, quoted, bare] = EXTENDED.exec(head) ?? [];
  if (extended === undefined) return { filename: valueIn(head, FILENAME) };
  const written = (quoted ?? bare ?? '').trim();
  const filename = decodedName(written);
  return filename === undefined ? { filename, unreadableName: written } : { filename };
}

function decodedName(written: string): string | undefined {
  const [, encoded] = ENCODED.exec(written) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch (failure) {
    // The bytes are no UTF-8.
    if (failure instanceof URIError) return undefined;
    throw failure;
  }
}
