// A support bundle: some text files in one archive, for a support engineer, who must not see any secret.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { TAR_END, tarHead, tarTail } from '../kit/tar/write.ts';
import { redact } from './redact.ts';

export interface BundleFile {
  readonly name: string;
  /** A text, or something to be shown as JSON. */
  readonly content: string | object;
}

const README = `A support bundle of Slipway.

It holds versions, settings, counts, sizes, health messages, metrics and the last lines of the log.
It holds no secrets, no addresses of agents and no configuration besides names of pipelines, stages
and config repos. Look through it before you give it away: everything is plain text.
`;
const FOLDER = 'slipway-support/';

const packed = promisify(gzip);

export async function bundleOf(files: readonly BundleFile[], now: Date): Promise<Buffer> {
  const modified = now.getTime() / 1000;
  const blocks = [{ name: 'README.txt', content: README }, ...files].flatMap(({ name, content }) => {
    const bytes = Buffer.from(typeof content === 'string' ? redact(content) : jsonText(content));
    return [tarHead({ path: FOLDER + name, bytes: bytes.length, modified }), bytes, tarTail(bytes.length)];
  });
  return packed(Buffer.concat([...blocks, TAR_END]));
}

/** `slipway-support-20260102T030405Z.tar.gz` */
export function bundleName(now: Date): string {
  return `slipway-support-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`;
}

/** Text by text, so that it stays JSON. */
function jsonText(content: object): string {
  const shown = (_: string, value: unknown) => (typeof value === 'string' ? redact(value) : value);
  return `${JSON.stringify(content, shown, 2)}\n`;
}
