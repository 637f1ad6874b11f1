// The identity of an agent, kept across restarts: its uuid, and the token that proves it to the server.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { IDENTITY_FILE } from './layout.ts';

const MODE = 0o600;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface Identity {
  readonly uuid: string;
  readonly token?: string;
}

/** The message says what to do. */
export class DamagedIdentity extends Error {}

export function readIdentity(workDir: string): Identity {
  const path = join(workDir, IDENTITY_FILE);
  if (!existsSync(path)) {
    const identity = { uuid: randomUUID() };
    writeIdentity(workDir, identity);
    return identity;
  }
  try {
    const { uuid, token } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<keyof Identity, unknown>>;
    if (typeof uuid === 'string' && UUID.test(uuid)) return typeof token === 'string' ? { uuid, token } : { uuid };
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
  }
  throw new DamagedIdentity(`${path} is damaged. Delete it, and the agent registers as a new one.`);
}

export function writeIdentity(workDir: string, identity: Identity): void {
  writeFileDurably(join(workDir, IDENTITY_FILE), `${JSON.stringify(identity)}\n`, MODE);
}
