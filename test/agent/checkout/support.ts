// A place for checkouts: the folder of a pipeline, a cache, and the lines for the console.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CheckoutContext, checkOut } from '../../../src/agent/checkout/check-out.ts';
import type { WorkMaterial } from '../../../src/contracts/agent-protocol/work.ts';

export type MaterialOf<T extends WorkMaterial['type']> = Extract<WorkMaterial, { type: T }>;

const COMMON = { fingerprint: 'f1', destination: null, description: 'the repository', username: null, password: null } as const;

export function gitWork(url: string, revision: string, more: Partial<MaterialOf<'git'>> = {}): MaterialOf<'git'> {
  return { ...COMMON, type: 'git', url, branch: 'main', shallow_clone: false, submodule_folder: null, revision, ...more };
}

export function svnWork(url: string, revision: string, more: Partial<MaterialOf<'svn'>> = {}): MaterialOf<'svn'> {
  return { ...COMMON, type: 'svn', url, check_externals: false, revision, ...more };
}

export function hgWork(url: string, revision: string, more: Partial<MaterialOf<'hg'>> = {}): MaterialOf<'hg'> {
  return { ...COMMON, type: 'hg', url, branch: null, revision, ...more };
}

export function p4Work(revision: string, more: Partial<MaterialOf<'p4'>> = {}): MaterialOf<'p4'> {
  return {
    ...COMMON,
    type: 'p4',
    port: 'localhost:1666',
    view: '//depot/app/... //x/...',
    use_tickets: false,
    client_variable: 'GO_P4_CLIENT',
    revision,
    ...more,
  };
}

export function tfsWork(url: string, revision: string, more: Partial<MaterialOf<'tfs'>> = {}): MaterialOf<'tfs'> {
  return { ...COMMON, type: 'tfs', url, domain: '', project_path: '$/app', revision, ...more };
}

export class Lab {
  readonly root = mkdtempSync(join(tmpdir(), 'slipway-checkout-'));
  readonly pipeline = join(this.root, 'pipelines', 'app');
  readonly cache = join(this.root, 'cache');
  readonly out: string[] = [];
  readonly err: string[] = [];

  path(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  /** Below the folder of the pipeline. */
  in(...names: readonly string[]): string {
    return join(this.pipeline, ...names);
  }

  async checkOut(material: WorkMaterial, more: Partial<CheckoutContext> = {}): Promise<void> {
    this.out.length = 0;
    this.err.length = 0;
    await checkOut(material, {
      pipelineFolder: this.pipeline,
      cacheFolder: this.cache,
      signal: new AbortController().signal,
      out: (line) => this.out.push(line),
      err: (line) => this.err.push(line),
      ...more,
    });
  }

  get console(): string {
    return [...this.out, ...this.err].join('\n');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.in(path)), { recursive: true });
    writeFileSync(this.in(path), text);
  }

  read(path: string): string | undefined {
    return existsSync(this.in(path)) ? readFileSync(this.in(path), 'utf8') : undefined;
  }

  /** The names in a folder, without the metadata folders of git, svn and hg. */
  names(path = '.'): readonly string[] {
    return readdirSync(this.in(path))
      .filter((name) => !/^\.(?:git|svn|hg)$/.test(name))
      .toSorted();
  }

  /** The files of the agent whose content matches the pattern. */
  filesWith(pattern: RegExp): readonly string[] {
    return ['cache', 'pipelines']
      .filter((folder) => existsSync(this.path(folder)))
      .flatMap((folder) =>
        readdirSync(this.path(folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .filter((path) => pattern.test(readFileSync(path, 'latin1'))),
      );
  }

  end(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
