// Where the files of a release come from: a statement (in-toto, SLSA provenance 1.0) that the builder signs.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Archive } from './archives.ts';
import { nodePackages, ROOT } from './lockfile.ts';
import { sha512Of } from './sbom.ts';
import type { Source } from './source.ts';

export interface Origin {
  readonly source: Source;
  readonly version: string;
  /** Where the repository is, such as git+https://example.org/slipway.git. */
  readonly repository: string;
  /** The builder, as an address: the CI, and its workflow. */
  readonly builder: string;
}

const BUILD_TYPE = 'urn:slipway:build:release:v1';

export function provenanceOf(archives: readonly Archive[], { source, version, repository, builder }: Origin): string {
  const lockfile = readFileSync(join(ROOT, 'package-lock.json'));
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: archives.map(({ name, content }) => ({ name, digest: { sha256: sha256Of(content) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { repository, version },
        internalParameters: { node: process.versions.node, sourceDateEpoch: Math.floor(source.time.getTime() / 1000) },
        resolvedDependencies: [
          { uri: repository, digest: { gitCommit: source.commit } },
          { uri: 'package-lock.json', digest: { sha256: sha256Of(lockfile) } },
          ...nodePackages().map(({ name, version: of, integrity }) => ({
            uri: `pkg:npm/${name}@${of}`,
            digest: { sha512: sha512Of(integrity) },
          })),
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** As `sha256sum --check` reads it. */
export function checksumsOf(archives: readonly Archive[]): string {
  const lines = archives.map(({ name, content }) => `${sha256Of(content)}  ${name}\n`);
  return lines.toSorted((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1)).join('');
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
