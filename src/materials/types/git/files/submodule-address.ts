// Which addresses submodules may have. Committers of the repository name them, and this server would connect to them.
import { isLocal } from '../../../addresses/address.ts';

/** undefined: it must not be asked. `outer` is the address of the repository that names it, without credentials. */
export function submoduleAddress(written: string, outer: string): string | undefined {
  const url = isRelative(written) ? resolved(written, outer) : written;
  if (url === undefined || !/^[^\s\p{Cc}-]\P{Cc}*$/u.test(url) || hostOf(url).startsWith('-')) return undefined;
  if (isRemote(url)) return url;
  // Only a repository of this machine may have submodules on this machine.
  return isOnThisMachine(url) && isLocal(outer) ? url : undefined;
}

/** The part that says which server, so that a password is only sent to the one it was meant for. */
export function serverOf(url: string): string | undefined {
  return /^https?:/i.test(url) ? URL.parse(url)?.origin : undefined;
}

/** Other schemes, and `helper::address`, can run programs. */
function isRemote(url: string): boolean {
  if (/^[a-z0-9+.-]*::/i.test(url)) return false;
  if (/^(?:https?|git|ssh|git\+ssh|ssh\+git):\/\/[^/]/i.test(url)) return true;
  return !url.includes('://') && /^[^/\\:]{2,}:/.test(url);
}

function isOnThisMachine(url: string): boolean {
  return /^(?:file:\/\/)?\//i.test(url) && !url.split('/').includes('..');
}

function isRelative(written: string): boolean {
  return /^\.\.?(?:\/|$)/.test(written);
}

function resolved(written: string, outer: string): string | undefined {
  const [, root = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/]*\/?|[^/\\:]{2,}:\/?|\/?)(.*)$/is.exec(outer) ?? [];
  const parts = path.split('/').filter((part) => part !== '');
  const todo = written.split('/').filter((part) => part !== '' && part !== '.');
  while (todo[0] === '..') {
    todo.shift();
    if (parts.pop() === undefined) return undefined;
  }
  return todo.includes('..') ? undefined : `${root}${[...parts, ...todo].join('/')}`;
}

function hostOf(url: string): string {
  const [, host = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@]*@)?([^/:]*)/i.exec(url) ?? [];
  return host;
}
