// A real git repository to be polled, made by git itself.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GitMaterial } from '../../../src/materials/types/git/material.ts';
import { git } from '../../support/git.ts';

export const AUTHOR = 'Ann Other <ann@example.org>';

/** A material of the branch main, unless `more` says otherwise. */
export function gitMaterial(url: string, more: Partial<GitMaterial> = {}): GitMaterial {
  return { type: 'git', fingerprint: 'f', url, branch: 'main', ...more };
}

/** A repository without commits, made once and copied: git takes three processes for each. */
let newRepository: Promise<string> | undefined;

async function makeRepository(): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'slipway-new-repository-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  await git(path, 'init', '--quiet', '--initial-branch=main', '.');
  appendFileSync(join(path, '.git', 'config'), '[user]\n\tname = Ann Other\n\temail = ann@example.org\n');
  return path;
}

export class GitOrigin {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(path: string): Promise<GitOrigin> {
    cpSync(await (newRepository ??= makeRepository()), path, { recursive: true });
    return new GitOrigin(path);
  }

  /** Only git understands it, so that nothing is read from its files on the way: as if it were elsewhere. */
  get address(): string {
    return `file://${this.path.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`)}`;
  }

  run(...args: readonly string[]): Promise<string> {
    return git(this.path, ...args);
  }

  /** Writes files and commits them, or an empty commit; gives the revision. */
  async commit(message: string, files: Readonly<Record<string, string>> = {}, ...args: readonly string[]): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content);
    }
    await this.run('add', '--all');
    await this.run('commit', '--quiet', '--allow-empty', '--allow-empty-message', '-m', message, ...args);
    return this.#head();
  }

  /** A commit leaves it in a file; to ask for it takes a process. */
  #head(): string {
    const read = (name: string) => readFileSync(join(this.path, '.git', name), 'utf8').trim();
    const [, ref] = /^ref: (.*)$/.exec(read('HEAD')) ?? [];
    return read(ref ?? 'HEAD');
  }

  async tip(ref = 'HEAD'): Promise<string> {
    return (await this.run('rev-parse', ref)).trim();
  }

  /** Hundreds of commits in one go, on top of a branch; `bytes` may be no UTF-8. */
  fastImport(stream: string | Uint8Array): void {
    execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: this.path, input: stream, stdio: ['pipe', 'pipe', 'inherit'] });
  }

  /** Adds commits to a branch; each changes one file. */
  grow(branch: string, count: number, from?: string): void {
    const lines: string[] = [];
    for (let index = 1; index <= count; index++) {
      const message = `change ${index}`;
      lines.push(`commit refs/heads/${branch}`, `committer Ann Other <ann@example.org> ${1_700_000_000 + index} +0200`);
      lines.push(`data ${message.length}`, message);
      if (index === 1 && from !== undefined) lines.push(`from ${from}`);
      const content = `content ${index}`;
      lines.push(`M 100644 inline folder/file-${index % 50}.txt`, `data ${content.length}`, content, '');
    }
    this.fastImport(`${lines.join('\n')}\n`);
  }
}
