// The packages of a release, as names and bytes: one for npm, and an archive with its own Node for each platform.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { commonContents, fileEntry, filesIn, LAUNCHERS } from './contents.ts';
import { below, type Entry, textEntry } from './entry.ts';
import { ROOT, readManifest } from './lockfile.ts';
import { withManifestVersion } from './next-version.ts';
import { nodeRuntime } from './node-runtime.ts';
import { PLATFORMS, type Platform } from './platforms.ts';
import type { Source } from './source.ts';
import { tarOf } from './tar.ts';
import { zipOf } from './zip.ts';

/** Nine is no smaller by half a percent, and takes three times as long. */
const GZIP_LEVEL = 6;
/** Of archives with a Node, whose compression takes seconds: tests that make some go without. */
const NODE_GZIP_LEVEL = Number(process.env.NODE_GZIP_LEVEL ?? GZIP_LEVEL);

export interface Archive {
  readonly name: string;
  readonly content: Buffer;
}

export class Packager {
  readonly #source: Source;
  readonly #common: readonly Entry[];
  readonly version = readManifest().version;

  private constructor(source: Source, common: readonly Entry[]) {
    this.#source = source;
    this.#common = common;
  }

  static async open(source: Source): Promise<Packager> {
    return new Packager(source, await commonContents());
  }

  /** As `npm pack` would write it, with times and an order that do not change. */
  npmPackage(): Archive {
    const entries = [...this.#common, this.#manifest({ optionalDependencies: nodeVersions() })];
    return { name: `slipway-${this.version}.tgz`, content: this.#tarGz(below('package', entries)) };
  }

  platformArchive(platform: Platform): Archive {
    const name = `slipway-${this.version}-${platform}`;
    const entries = below(name, [...this.folderContents(), ...nodeRuntime(platform), ...launcherOf(platform)]);
    if (PLATFORMS[platform].isWindows) return { name: `${name}.zip`, content: zipOf(entries, this.#source.time) };
    return { name: `${name}.tar.gz`, content: this.#tarGz(entries, NODE_GZIP_LEVEL) };
  }

  /** The client for TypeScript, for npm. */
  clientPackage(): Archive {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-client-'));
    try {
      execFileSync(process.execPath, [join(ROOT, 'tools', 'package-client.mjs'), folder]);
      const entries = filesIn(folder).map((name) => {
        const entry = fileEntry(name, join(folder, name));
        return name === 'package.json' ? textEntry(name, withManifestVersion(entry.content.toString(), this.version, 1)) : entry;
      });
      return { name: `slipway-client-${this.version}.tgz`, content: this.#tarGz(below('package', entries)) };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** For Helm: as `helm package` would write it. */
  chart(): Archive {
    const folder = join(ROOT, 'deploy', 'helm', 'slipway');
    const entries = filesIn(folder).map((name) => {
      const entry = fileEntry(name, join(folder, name));
      return name === 'Chart.yaml' ? textEntry(name, withVersion(entry.content.toString(), this.version)) : entry;
    });
    return { name: `slipway-chart-${this.version}.tgz`, content: this.#tarGz(below('slipway', entries)) };
  }

  /** The content that all of them have, which runs with a Node from elsewhere. */
  folderContents(): readonly Entry[] {
    return [...this.#common, this.#manifest({})];
  }

  #manifest(more: object): Entry {
    const { name, description, license } = readManifest();
    const facts = { name, version: this.version, description, license, type: 'module', gitHead: this.#source.commit };
    const manifest = { ...facts, engines: { node: '>=20' }, bin: { slipway: 'bin/slipway.mjs' }, ...more };
    return textEntry('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  }

  #tarGz(entries: readonly Entry[], level = GZIP_LEVEL): Buffer {
    return gzipSync(tarOf(entries, this.#source.time), { level });
  }
}

/** The version of the chart is that of the server. */
export function withVersion(chart: string, version: string): string {
  return chart.replace(/^version: .*$/m, `version: ${version}`).replace(/^appVersion: .*$/m, `appVersion: "${version}"`);
}

function nodeVersions(): Readonly<Record<string, string>> {
  const { optionalDependencies } = readManifest();
  return Object.fromEntries(Object.values(PLATFORMS).map(({ nodePackage }) => [nodePackage, optionalDependencies[nodePackage]!]));
}

function launcherOf(platform: Platform): readonly Entry[] {
  if (PLATFORMS[platform].isWindows) return [fileEntry('bin/slipway.cmd', join(LAUNCHERS, 'slipway.cmd'), true)];
  const launcher = fileEntry('bin/slipway', join(LAUNCHERS, 'slipway.sh'), true);
  if (!platform.startsWith('linux-')) return [launcher];
  const units = globSync('*.service', { cwd: join(ROOT, 'deploy', 'systemd') });
  return [launcher, ...units.map((unit) => fileEntry(`systemd/${unit}`, join(ROOT, 'deploy', 'systemd', unit)))];
}
