// Parts of the file of a console, by bytes: also of one that grows.

import type { ByteRange } from '../../../artifacts/storage/storage.ts';
import type { ConsoleText } from '../../../builds/console/consoles.ts';
import { type Answer, type ApiRequest, jsonAnswer } from '../../engine/route.ts';
import { byteRangeOf } from '../../http/headers/byte-range.ts';
import { NO_SUCH_BYTES } from './docs.ts';

export type WantedRange = ByteRange | 'unsatisfiable' | undefined;

/** undefined: all of it. */
export function wantedRange(request: Pick<ApiRequest, 'header' | 'query'>, bytes: number, version: string): WantedRange {
  // From a line on it is not the file any more.
  if (request.query.has('startLineNumber')) return undefined;
  const isCurrent = [undefined, `"${version}"`].includes(request.header('if-range')?.trim());
  return isCurrent ? byteRangeOf(request.header('range'), bytes) : undefined;
}

export function fileAnswer({ bytes, stream, version }: ConsoleText, range: WantedRange): Answer {
  if (range === 'unsatisfiable') {
    stream.destroy();
    return jsonAnswer({ message: NO_SUCH_BYTES }, { status: 416, headers: ['Content-Range', `bytes */${bytes}`] });
  }
  const length = range ? range.end - range.start + 1 : bytes;
  const headers = ['Accept-Ranges', 'bytes', 'Content-Length', String(length)];
  if (range) headers.push('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
  return { status: range ? 206 : 200, body: stream, type: 'text/plain; charset=utf-8', etag: version, headers };
}
