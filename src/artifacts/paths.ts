// Which paths artifacts can have below the folder of their job.
import { hasControlCharacter } from '../kit/text/control-characters.ts';
import { OUTPUT_FOLDER } from './stage-run.ts';

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;
/** For each file all folders above it are looked at, and listed with their own paths. */
const MAX_PARTS = 100;
/** Written by the server alone, in a folder of the job. */
const SERVERS_OWN: readonly string[] = ['console.log', 'console.state', 'md5.checksum'];

/** The message when the disk refuses a path that is valid here: the path of its own folder comes before it. */
export const TOO_LONG = 'The path of a file is too long for the disk of the artifacts.';

/** Windows drops dots and blanks at the end of a name, takes a colon for another stream of the file, and some names for devices. */
const OTHER_ON_WINDOWS = /[. ]$|[<>:"|?*]|^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/** The problem of the path of a file or a folder that an agent sends, in words; undefined: none. */
export function pathProblem(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const problem = problemOf(path) ?? (platform === 'win32' ? windowsProblem(path) : undefined);
  return problem && `'${shown(path)}' is not the path of an artifact: ${problem}.`;
}

/** As people write it: `./dist/` is `dist`. */
export function plainPath(written: string): string {
  const parts = written.replaceAll('\\', '/').split('/');
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** The folders above these paths, each once. */
export function foldersAbove(paths: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const path of paths) {
    // Above one that is known all are: many files in a deep folder cost no more than it does.
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (found.has(folder)) break;
      found.add(folder);
    }
  }
  return found;
}

function problemOf(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (!path.isWellFormed()) return 'it is not valid Unicode';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  if (hasControlCharacter(path)) return 'it holds control characters';
  if (path.includes('\\')) return 'its parts are separated by slashes, not by backslashes';
  if (path.startsWith('/')) return 'it must be relative';
  const parts = path.split('/');
  if (parts.length > MAX_PARTS) return `it has more than ${MAX_PARTS} parts`;
  if (parts.includes('')) return 'one of its parts is empty';
  if (parts.some((part) => part === '.' || part === '..')) return 'it must not hold the parts `.` and `..`';
  if (parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)) return `one of its parts is longer than ${MAX_NAME_BYTES} bytes`;
  if (isServersOwn(parts)) return 'the server itself writes this file';
  return undefined;
}

/** Such a name could lead to another file, such as one that the server itself writes. */
function windowsProblem(path: string): string | undefined {
  return path.split('/').some((part) => OTHER_ON_WINDOWS.test(part))
    ? 'the server runs on Windows, which has no files of this name'
    : undefined;
}

/** Also in other letter case, which is the same to some disks. A path below it counts, too: it would make a folder of it. */
function isServersOwn([folder, name]: readonly string[]): boolean {
  return folder?.toLowerCase() === OUTPUT_FOLDER && name !== undefined && SERVERS_OWN.includes(name.toLowerCase());
}

function shown(path: string): string {
  return path.toWellFormed().slice(0, 200);
}
