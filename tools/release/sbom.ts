// The list of the components of a release (a software bill of materials, CycloneDX 1.6), from the lockfile.
import { createHash } from 'node:crypto';
import { bundledPackages, type LockedPackage, nodePackages, readManifest } from './lockfile.ts';
import type { Source } from './source.ts';

export function sbomOf({ commit, time }: Source): string {
  const { name, version, description, license } = readManifest();
  const ref = purlOf(name, version);
  const components = [
    ...bundledPackages().map((one) => componentOf(one, 'library', 'required')),
    ...nodePackages().map((one) => componentOf(one, 'platform', 'optional')),
  ];
  const serial = createHash('sha256').update(`${ref} ${commit}`).digest('hex');
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${asUuid(serial)}`,
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: { type: 'application', 'bom-ref': ref, name, version, description, licenses: licensesOf(license), purl: ref },
      properties: [{ name: 'git.commit', value: commit }],
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Several packages may bring the same one, each for itself. */
function componentOf({ name, version, license, integrity, path }: LockedPackage, type: string, scope: string) {
  const purl = purlOf(name, version);
  return {
    type,
    'bom-ref': `${purl}#${path}`,
    name,
    version,
    scope,
    hashes: [{ alg: 'SHA-512', content: sha512Of(integrity) }],
    ...(license !== undefined && { licenses: licensesOf(license) }),
    purl,
  };
}

/** An expression, such as `MIT OR Apache-2.0`, is not the id of a licence. */
function licensesOf(license: string) {
  return / /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

export function sha512Of(integrity: string): string {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
}

/** In the form of a random one: version 4, variant 10. */
function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
