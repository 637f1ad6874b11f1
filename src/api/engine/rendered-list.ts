// The members of a list as bytes, one after the other. A later list copies the members that have not changed.
import type { Entry } from '../../config/entry.ts';
import { GrowingBytes } from '../../kit/bytes/growing-bytes.ts';
import { etagOfAll } from '../../shape/json/etag.ts';

/** A rendered member: its JSON, and the ETag that answers show. */
export interface RenderedMember {
  readonly json: string | Uint8Array;
  readonly etag: string;
}

interface ByteSpan {
  readonly start: number;
  readonly end: number;
  readonly etag: string;
}

export interface RenderedList {
  readonly bytes: Buffer;
  readonly etag: string;
  /** A member as it is in this list. */
  find(entry: Entry): RenderedMember | undefined;
}

const FIRST_CAPACITY = 16 * 1024;

interface Frame {
  readonly opening: string;
  /** Stands between the members and the same members once more; absent: they are there once. */
  readonly again?: string;
  readonly closing: string;
}

/** The frame stands around the members. */
export function renderList(
  entries: readonly Entry[],
  render: (entry: Entry) => RenderedMember,
  { opening, again, closing }: Frame,
): RenderedList {
  const spans = new WeakMap<Entry, ByteSpan>();
  const list = new GrowingBytes(FIRST_CAPACITY);
  list.addText(opening);
  const first = list.size;
  const etags = entries.map((entry, at) => {
    if (at > 0) list.addText(',');
    const { json, etag } = render(entry);
    const start = list.size;
    if (typeof json === 'string') list.addText(json);
    else list.addBytes(json);
    spans.set(entry, { start, end: list.size, etag });
    return etag;
  });
  if (again !== undefined) {
    const members = Buffer.from(list.bytes.subarray(first));
    list.addText(again);
    list.addBytes(members);
  }
  list.addText(closing);
  const bytes = list.finish();
  const find = (entry: Entry) => {
    const span = spans.get(entry);
    return span && { json: bytes.subarray(span.start, span.end), etag: span.etag };
  };
  return { bytes, etag: etagOfAll(etags), find };
}
