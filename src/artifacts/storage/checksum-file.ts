// The file with the checksums of a job, as other servers have it: a line `path=md5` for each file.
import { join } from 'node:path';
import { makeFolder, openToWrite, syncFolder } from '../../kit/files/without-links.ts';
import { OUTPUT_FOLDER } from '../stage-run.ts';

const NAME = 'md5.checksum';
/** Below the folder of a job. */
export const CHECKSUM_FILE = `${OUTPUT_FOLDER}/${NAME}`;

/** Adds the lines that are missing. Of two lines for one path the later one counts. */
export async function addChecksums(
  root: string,
  jobFolder: readonly string[],
  files: readonly { readonly path: string; readonly md5: string }[],
): Promise<void> {
  const folder = await makeFolder(root, [...jobFolder, OUTPUT_FOLDER]);
  const { handle, isNew } = await openToWrite(join(folder, NAME));
  try {
    const text = await handle.readFile();
    // A crash may have left part of a line.
    const whole = text.subarray(0, text.lastIndexOf('\n') + 1);
    const known = new Map(whole.toString().split('\n').map(entryOf));
    const fresh = files.filter(({ path, md5 }) => known.get(path) !== md5).map(({ path, md5 }) => `${path}=${md5}\n`);
    if (fresh.length > 0) {
      await handle.truncate(whole.length);
      await writeAll(handle, Buffer.from(fresh.join('')), whole.length);
    }
    await handle.sync();
    if (isNew) await syncFolder(folder);
  } finally {
    await handle.close();
  }
}

function entryOf(line: string): [path: string, md5: string] {
  const sign = line.lastIndexOf('=');
  return [line.slice(0, sign), line.slice(sign + 1)];
}

async function writeAll(handle: Awaited<ReturnType<typeof openToWrite>>['handle'], bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}
