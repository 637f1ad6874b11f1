// Adds a user to a password file, or gives a user of it a new password.
import { existsSync, readFileSync } from 'node:fs';
import { writeFileDurably } from '../../../kit/bytes/durable-file.ts';
import { loginProblem, normalLogin } from '../../../shape/login-name.ts';
import { readPasswordLine } from './password-file.ts';

export function setPassword(path: string, given: string, hash: string): void {
  const login = normalLogin(given);
  const problem = loginProblem(login);
  if (problem !== undefined) throw new Error(`A password file cannot hold this user. ${problem}`);
  const line = `${login}:${hash}`;
  const written = readPasswordLine(line);
  if (/[\r\n]/.test(line) || written?.login !== login || written.hash !== hash || hash === '') {
    throw new Error('A password file cannot hold this user. The login name must not start with #.');
  }
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split(/\r?\n/) : [];
  writeFileDurably(path, `${replaceLine(lines, login, line).join('\n')}\n`, 0o600);
}

function replaceLine(lines: readonly string[], login: string, line: string): readonly string[] {
  const isOfUser = (candidate: string): boolean => readPasswordLine(candidate)?.login.toLowerCase() === login.toLowerCase();
  const index = lines.findIndex(isOfUser);
  const others = lines.filter((candidate) => !isOfUser(candidate));
  if (index >= 0) return withoutBlankEnd(others.toSpliced(index, 0, line));
  return [...withoutBlankEnd(others), line];
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
