// The paths of this machine that an address may mean, and the address that means a path.
import { isUtf8 } from 'node:buffer';
import { sep } from 'node:path';
import { MaterialProblem } from '../clients/client.ts';

const HOME_NOT_SUPPORTED = 'The address starts with ~, which is not supported: write the whole path.';
const NO_TEXT = 'The percent-encoded characters of the address are not valid UTF-8.';

/** First the path as programs read it, then as another program may read it: they differ where a host could be. */
export function pathsIn(url: string): readonly [string, ...string[]] {
  const [, slashes, rest] = /^file:(\/\/)?(.*)$/is.exec(url) ?? [];
  if (rest === undefined) return [fromHome(url)];
  const path = decoded(rest);
  if (slashes === undefined) return [fromHome(path)];
  return path.startsWith('/') ? [path] : [path.replace(/^[^/]*\/?/, '/'), `/${path}`];
}

/** Escapes the path, so that programs take no part of it for anything else. */
export function fileAddress(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Rewrites error output of a program: the path as the user wrote it replaces the path that the program was given. */
export function asWritten(url: string, path: string | undefined): (errorOutput: string) => string {
  const [written] = path === undefined ? [path] : pathsIn(url);
  if (path === undefined || written === undefined || path === written || path === '/') return (errorOutput) => errorOutput;
  return (errorOutput) => errorOutput.replaceAll(fileAddress(path), url).replaceAll(path, written);
}

/** Programs take `~` for the home directory, in any working directory. */
function fromHome(path: string): string {
  if (!path.startsWith('~') || sep !== '/') return path;
  const { HOME } = process.env;
  if (!/^~(?:\/|$)/.test(path) || !HOME) throw new MaterialProblem(HOME_NOT_SUPPORTED);
  return `${HOME}${path.slice(1)}`;
}

/** Decodes as programs do: a percent sign that escapes nothing stays, and so does one that escapes the end of a text. */
function decoded(text: string): string {
  const bytes = Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replace(/%(?!00)([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
  if (!isUtf8(bytes)) throw new MaterialProblem(NO_TEXT);
  return bytes.toString('utf8');
}
