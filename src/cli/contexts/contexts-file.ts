// The file that keeps contexts. It holds access tokens, so only its owner may read it.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import type { Environment } from '../terminal/context.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { type Contexts, NO_CONTEXTS, type StoredContext } from './contexts.ts';
import { configFolder } from './user-folders.ts';

const FILE = 'contexts.json';
const VERSION = 1;
const OF_OTHERS = 0o077;
const NO_HOME = 'There is no folder to keep logins in: set HOME or XDG_CONFIG_HOME.';

/** Without a file there are none. */
export function readContexts(environment: Environment): Contexts {
  const folder = configFolder(environment);
  if (folder === undefined) return NO_CONTEXTS;
  const path = join(folder, FILE);
  const text = textOf(path);
  return text === undefined ? NO_CONTEXTS : contextsIn(path, text);
}

/** Returns the folder. Only its owner can look into it. */
export function makeContextsFolder(environment: Environment): string {
  const folder = configFolder(environment);
  if (folder === undefined) throw new CommandFailed(NO_HOME);
  try {
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (failure) {
    throw new CommandFailed(`${folder} cannot be made: ${(failure as Error).message}`);
  }
  return folder;
}

/** Call it only while no other process does: see change-contexts.ts. */
export function writeContexts(contexts: Contexts, environment: Environment): string {
  const path = join(makeContextsFolder(environment), FILE);
  try {
    writeFileDurably(path, `${JSON.stringify({ version: VERSION, ...contexts }, undefined, 2)}\n`, 0o600);
  } catch (failure) {
    throw new CommandFailed(`${path} cannot be written: ${(failure as Error).message}`);
  }
  return path;
}

function textOf(path: string): string | undefined {
  try {
    mustBePrivate(path, statSync(path).mode);
    return readFileSync(path, 'utf8');
  } catch (failure) {
    if (failure instanceof CommandFailed) throw failure;
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandFailed(`${path} cannot be read: ${(failure as Error).message}`);
  }
}

function mustBePrivate(path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & OF_OTHERS) === 0) return; // there, modes say nothing
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new CommandFailed(`${path} is open to others (mode ${shown}), and holds access tokens. Close it: chmod 600 ${path}`);
}

function contextsIn(path: string, text: string): Contexts {
  const content = parsed(path, text);
  const { version, current = null, contexts = {} } = content;
  if (version !== VERSION) throw new CommandFailed(`${path} was written by another version of Slipway.`);
  if (!isObject(contexts) || (current !== null && typeof current !== 'string')) throw damaged(path);
  return { current, contexts: Object.fromEntries(Object.entries(contexts).map(([name, one]) => [name, contextIn(path, one)])) };
}

function parsed(path: string, text: string): JsonObject {
  try {
    const content: unknown = JSON.parse(text);
    if (isObject(content)) return content;
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
  }
  throw damaged(path);
}

function contextIn(path: string, one: Json): StoredContext {
  if (!isObject(one)) throw damaged(path);
  const { url, user, token, token_id: id, ca_file: caFile } = one;
  if (typeof url !== 'string' || typeof user !== 'string' || typeof token !== 'string') throw damaged(path);
  return { url, user, token, ...(typeof id === 'number' && { token_id: id }), ...(typeof caFile === 'string' && { ca_file: caFile }) };
}

function damaged(path: string): CommandFailed {
  return new CommandFailed(`${path} is not as Slipway wrote it. Correct it, or remove it and log in again.`);
}
