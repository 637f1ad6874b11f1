// The records in front of an entry, for values that its header has no room for: `LENGTH KEY=VALUE`, one on each line.
import { isUtf8 } from 'node:buffer';
import { BadArchive } from './bad-archive.ts';

export interface PaxRecords {
  readonly path?: string;
  readonly bytes?: number;
}

export function readRecords(content: Buffer): PaxRecords {
  let records: PaxRecords = {};
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at);
    const digits = blank < 0 ? '' : content.toString('latin1', at, blank);
    const end = at + (/^[1-9]\d{0,5}$/.test(digits) ? Number(digits) : Number.NaN);
    if (!(end <= content.length) || content[end - 1] !== 0x0a) throw bad();
    records = { ...records, ...recordIn(content.subarray(blank + 1, end - 1)) };
    at = end;
  }
  return records;
}

function recordIn(bytes: Buffer): PaxRecords {
  const sign = bytes.indexOf('=');
  if (sign < 0) throw bad();
  const key = bytes.toString('latin1', 0, sign);
  const value = bytes.subarray(sign + 1);
  if (key === 'path') {
    if (!isUtf8(value)) throw new BadArchive('a name is not UTF-8');
    return { path: value.toString() };
  }
  if (key !== 'size') return {};
  if (!/^\d{1,15}$/.test(value.toString('latin1'))) throw bad();
  return { bytes: Number(value.toString('latin1')) };
}

function bad(): BadArchive {
  return new BadArchive('it has bad records');
}
