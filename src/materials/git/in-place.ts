// The newest commit of a repository on this machine, read where it is: a copy is made when there is more to compare.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandFailure, CommandStopped } from '../../kit/command.ts';
import type { NewModification, Surroundings } from '../client.ts';
import type { Git } from './git.ts';
import type { LocalRef } from './local-ref.ts';
import { LOG_OPTIONS, LOG_SEPARATOR, LogReader } from './log-reader.ts';

const FOLDER = 'in-place.git';

/** undefined: it cannot be read without a copy, because it is not complete, for example. */
export async function newestInPlace(
  { program }: Git,
  { place, revision }: LocalRef,
  paths: readonly string[],
  { directory }: Surroundings,
): Promise<readonly NewModification[] | undefined> {
  const reader = new LogReader();
  const found: NewModification[] = [];
  const env = { GIT_DIR: emptyRepository(dirname(directory)), GIT_OBJECT_DIRECTORY: join(place, 'objects') };
  try {
    for await (const records of program.records(['log', ...LOG_OPTIONS, '-1', revision, '--', ...paths], LOG_SEPARATOR, { env }))
      found.push(...reader.take(records));
    return [...found, ...reader.rest()];
  } catch (failure) {
    if (failure instanceof CommandFailure && !(failure instanceof CommandStopped)) return undefined;
    throw failure;
  }
}

/** Git obeys the settings of the repository it works in, and those of strangers could make it do anything: only their objects are used. */
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
