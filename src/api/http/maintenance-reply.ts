// The answer to writes while the server is in maintenance mode.
import type { IncomingHttpHeaders } from 'node:http';
import { type Period, retryAfter } from '../../maintenance/period.ts';
import type { Answer } from '../engine/route.ts';

/** The part of a request that says in which form it wants its answer. */
export interface FormatRequest {
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const IN_MAINTENANCE = 'Server is in maintenance mode, please try later.';

type Form = 'json' | 'xml' | 'html';

/** JSON has the type of all failures. */
const TYPES: Readonly<Partial<Record<Form, string>>> = {
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

export function maintenanceAnswer(period: Period, request: FormatRequest, now = Date.now()): Answer {
  const form = formOf(request);
  const text = textIn(form);
  return {
    status: 503,
    text,
    bytes: Buffer.byteLength(text),
    ...(TYPES[form] && { type: TYPES[form] }),
    cacheControl: 'private, max-age=0, no-cache',
    headers: ['Expires', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Retry-After', String(retryAfter(period, now))],
  };
}

/** Programs get the format they ask for, JSON by default. Browsers ask for XML, too, but mean pages. */
function formOf({ url = '', headers }: FormatRequest): Form {
  const [path = ''] = url.split('?', 1);
  const named = [headers.accept, headers['content-type']].join().toLowerCase();
  const wants = (word: string) => named.includes(word) || path.endsWith(word);
  return (['json', 'html', 'xml'] as const).find(wants) ?? 'json';
}

/** The text says the same in all forms, without user and reason: these are for administrators, and the client is not authenticated yet. */
function textIn(form: Form): string {
  switch (form) {
    case 'json':
      return JSON.stringify({ message: IN_MAINTENANCE });
    case 'xml':
      return `<message>${IN_MAINTENANCE}</message>`;
    case 'html':
      return `<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Maintenance mode</title>\n<h1>Maintenance mode</h1>\n<p>${IN_MAINTENANCE}</p>\n</html>\n`;
  }
}
