// The checksums that come with files: a line `path=md5` for each.
import type { ArtifactFile } from '../../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../kit/refusal.ts';

/** Paths are those below the folder of the job. */
export type SentChecksums = ReadonlyMap<string, string>;

const LINE = /^(.+)=\s*([0-9a-f]{32})\s*$/i;
/** Programs in Java write blanks, colons and all that is not Latin-1 that way; a path has no backslash of its own. */
const ESCAPED = /\\u([0-9a-f]{4})|\\(.)/gi;

export function readChecksums(text: string): SentChecksums {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, path, md5] = LINE.exec(line) ?? [];
      if (path === undefined || md5 === undefined)
        throw new Refusal('malformed', `This line of \`file_checksum\` is not \`path=md5\`: ${line.slice(0, 200)}`);
      return [unescaped(path), md5.toLowerCase()];
    }),
  );
}

/** Refuses files that came otherwise than was said. */
export function mustMatch(files: ReadonlyMap<string, ArtifactFile>, checksums: SentChecksums): void {
  for (const [path, md5] of checksums) {
    const file = files.get(path);
    if (!file) throw new Refusal('invalid', `\`file_checksum\` names the file '${path.slice(0, 200)}', which was not sent.`);
    if (file.md5 !== md5) throw new Refusal('invalid', wrongChecksum(path));
  }
}

function wrongChecksum(path: string): string {
  return `The file '${path.slice(0, 200)}' has another checksum than \`file_checksum\` says.`;
}

function unescaped(path: string): string {
  return path.replaceAll(ESCAPED, (_, code: string | undefined, letter: string) =>
    code === undefined ? letter : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
