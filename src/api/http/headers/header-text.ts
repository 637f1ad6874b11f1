// The text that a client has written into a header.
import { isUtf8 } from 'node:buffer';

/** Header bytes arrive as Latin-1; most clients mean UTF-8 by them, some mean Latin-1. */
export function headerText(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
