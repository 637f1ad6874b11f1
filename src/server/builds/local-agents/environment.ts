// The environment of a local agent, which its jobs inherit: of the server's only the variables about where and in which language it runs.
import { delimiter } from 'node:path';
import type { Account } from './account.ts';
import { EXECUTE, mayUse } from './file-access.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const PASSED_ON =
  /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|(?:HTTPS?|NO|ALL)_PROXY|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|GIT_SSL_CAINFO|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT|WINDIR|PROGRAMFILES|PROGRAMDATA|TEMP|TMP)$/i;
/** Of the same user only: they are about that user. */
const ABOUT_THE_USER = /^(?:HOME|USER|LOGNAME|SHELL|TMPDIR|SSH_AUTH_SOCK|XDG_\w+|USERPROFILE|USERNAME|APPDATA|LOCALAPPDATA)$/i;
/** The folders that npm puts in front of PATH for the script it runs. */
const OF_NPM = /[\\/]node_modules[\\/]/;

export function agentEnvironment(own: Variables, workDir: string, account: Account | undefined): Record<string, string> {
  const isPassedOn = (name: string) => PASSED_ON.test(name) || (!account && ABOUT_THE_USER.test(name));
  const entries = Object.entries(own).flatMap(([name, value]) =>
    value === undefined || !isPassedOn(name) ? [] : [[name, name === 'PATH' ? programFolders(value, account) : value] as const],
  );
  return { ...Object.fromEntries(entries), ...(account && aboutUser(account, workDir)) };
}

/** Where a program is looked for in a folder that is closed, the answer is that it may not be started, instead of that it is not there. */
function programFolders(path: string, account: Account | undefined): string {
  return path
    .split(delimiter)
    .filter((folder) => !OF_NPM.test(folder) && (!account || mayUse(folder, account, EXECUTE)))
    .join(delimiter);
}

/** Users such as `nobody` have no home: theirs is the work directory, because many tools want one. */
function aboutUser(account: Account, workDir: string) {
  const { name, home } = account;
  return { HOME: mayUse(home, account, EXECUTE) && home !== '/' ? home : workDir, USER: name, LOGNAME: name };
}
