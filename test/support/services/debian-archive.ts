// A Debian archive made on the spot: real packages by dpkg-deb, real indexes by apt-ftparchive, really signed by gpg.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ensureDebianPackages } from './debian.ts';

const run = promisify(execFile);

export interface Deb {
  readonly name: string;
  readonly version: string;
  readonly architecture?: string;
  readonly component?: string;
  readonly uploaded?: Date;
}

export interface SuiteForm {
  readonly architectures?: readonly string[];
  /** The indexes beside the plain one, which may be left out. */
  readonly forms?: readonly ('plain' | 'gz' | 'xz')[];
  readonly isSigned?: boolean;
  readonly isByHash?: boolean;
}

const MAINTAINER = 'Jez Humble <jez@example.org>';

export class DebianArchive {
  readonly directory = mkdtempSync(join(tmpdir(), 'slipway-debian-'));
  readonly #staging = mkdtempSync(join(tmpdir(), 'slipway-deb-'));
  #hasKey = false;

  static async make(): Promise<DebianArchive> {
    await ensureDebianPackages(['dpkg', 'apt-utils', 'gnupg', 'xz-utils']);
    return new DebianArchive();
  }

  async add({ name, version, architecture = 'amd64', component = 'main', uploaded }: Deb): Promise<string> {
    const folder = join(this.#staging, 'package');
    const control = {
      Package: name,
      Version: version,
      Architecture: architecture,
      Maintainer: MAINTAINER,
      Description: `Says ${name}\n Longer words.\n .\n Package: not-${name}`,
    };
    write(
      join(folder, 'DEBIAN/control'),
      Object.entries(control)
        .map(([key, value]) => `${key}: ${value}\n`)
        .join(''),
    );
    chmodSync(join(folder, 'DEBIAN'), 0o755); // dpkg-deb insists, under any umask
    const path = `pool/${component}/${name}_${version.replace(/^\d+:/, '')}_${architecture}.deb`;
    const file = join(this.directory, path);
    mkdirSync(dirname(file), { recursive: true });
    await run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', folder, file]);
    if (uploaded) utimesSync(file, uploaded, uploaded);
    return path;
  }

  /** Writes the indexes of all that is there, and the Release file. */
  async publish(
    suite: string,
    { architectures = ['amd64'], forms = ['plain', 'gz', 'xz'], isSigned = true, isByHash = false }: SuiteForm = {},
  ): Promise<void> {
    const root = join(this.directory, 'dists', suite);
    rmSync(root, { recursive: true, force: true });
    const components = readdirSync(join(this.directory, 'pool'));
    for (const component of components) {
      for (const architecture of architectures) {
        const { stdout } = await this.#ftparchive('--arch', architecture, 'packages', `pool/${component}`);
        await this.#writeIndex(join(root, component, `binary-${architecture}`), stdout, forms, isByHash);
      }
    }
    const facts = { Suite: suite, Components: components.join(' '), Architectures: architectures.join(' '), 'Acquire-By-Hash': isByHash };
    await this.#release(root, facts, isSigned);
  }

  /** Everything in one folder, without components. */
  async publishFlat(folder: string): Promise<void> {
    const { stdout } = await this.#ftparchive('packages', 'pool');
    await this.#writeIndex(join(this.directory, folder), stdout, ['gz'], false);
    await this.#release(join(this.directory, folder), {}, false);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
    rmSync(this.#staging, { recursive: true });
  }

  async #writeIndex(folder: string, index: string, forms: NonNullable<SuiteForm['forms']>, isByHash: boolean): Promise<void> {
    const plain = join(folder, 'Packages');
    write(plain, index);
    if (forms.includes('gz')) write(`${plain}.gz`, gzipSync(index));
    if (forms.includes('xz')) await run('xz', ['--keep', '--force', plain]);
    if (!forms.includes('plain')) rmSync(plain);
    if (!isByHash) return;
    for (const file of readdirSync(folder)) {
      const content = readFileSync(join(folder, file));
      write(join(folder, 'by-hash/SHA256', createHash('sha256').update(content).digest('hex')), content);
    }
  }

  async #release(root: string, facts: Readonly<Record<string, unknown>>, isSigned: boolean): Promise<void> {
    const options = Object.entries(facts).flatMap(([key, value]) => ['-o', `APT::FTPArchive::Release::${key}=${value}`]);
    const { stdout } = await this.#ftparchive(...options, 'release', root);
    write(join(root, 'Release'), stdout);
    if (!isSigned) return;
    const gpg = ['--homedir', this.#staging, '--batch', '--quiet', '--pinentry-mode', 'loopback', '--passphrase', ''];
    if (!this.#hasKey) await run('gpg', [...gpg, '--quick-gen-key', 'Slipway test archive', 'ed25519', 'sign', 'never']);
    this.#hasKey = true;
    await run('gpg', [...gpg, '--clearsign', '--output', join(root, 'InRelease'), join(root, 'Release')]);
    rmSync(join(root, 'Release'));
  }

  #ftparchive(...args: string[]): Promise<{ stdout: string }> {
    return run('apt-ftparchive', args, { cwd: this.directory, maxBuffer: 64 * 1024 * 1024 });
  }
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
