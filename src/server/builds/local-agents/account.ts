// Users of this machine.
import { readFileSync } from 'node:fs';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

const PASSWD = '/etc/passwd';

/** Undefined: there is no such user, or this system keeps its users elsewhere. */
export function accountOf(name: string): Account | undefined {
  try {
    return accountIn(readFileSync(PASSWD, 'utf8'), name);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}

export function accountIn(passwd: string, name: string): Account | undefined {
  for (const line of passwd.split('\n')) {
    const [user, , uid = '', gid = '', , home = ''] = line.split(':');
    if (user === name && /^\d+$/.test(uid) && /^\d+$/.test(gid)) return { name, uid: Number(uid), gid: Number(gid), home };
  }
  return undefined;
}
