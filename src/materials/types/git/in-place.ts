// A repository on this machine, read where it is: a copy is made only when files of it are wanted.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PollContext } from '../../clients/client.ts';
import type { GitRepository } from './commits-since.ts';
import type { Git } from './git.ts';
import type { LocalRef } from './local-ref.ts';

const FOLDER = 'in-place.git';

export function repositoryInPlace({ program }: Git, { gitDir }: LocalRef, { directory }: PollContext): GitRepository {
  const env = { GIT_DIR: emptyRepository(dirname(directory)), GIT_OBJECT_DIRECTORY: join(gitDir, 'objects') };
  return {
    run: (args) => program.run(args, { env }),
    records: (args, separator) => program.records(args, separator, { env }),
  };
}

/** Git obeys the settings of the repository it works in, and those of an untrusted one could make it do anything: only their objects are used. */
function emptyRepository(parent: string): string {
  const path = join(parent, FOLDER);
  const last = join(path, 'refs');
  if (!existsSync(last)) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/none\n');
    mkdirSync(last, { recursive: true });
  }
  return path;
}
