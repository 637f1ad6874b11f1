// The licences of the packages whose code is in the bundle: most of them ask to be passed on with it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages, type LockedPackage, ROOT } from './lockfile.ts';

const LINE = '-'.repeat(80);

export function thirdPartyLicenses(): string {
  const parts = bundledPackages().map((one) => `${LINE}\n${one.name} ${one.version} (${one.license ?? 'see below'})\n\n${textsOf(one)}`);
  return `Slipway contains code of these packages.\n\n${parts.join('\n')}`;
}

/** Some packages only name their licence. */
function textsOf({ path, name, license }: LockedPackage): string {
  const files = globSync('{LICENSE,LICENCE,license,NOTICE}*', { cwd: join(ROOT, path) }).toSorted();
  if (files.length === 0 && license === undefined) throw new Error(`The package ${name} does not state its licence.`);
  return files
    .map(
      (file) =>
        `${readFileSync(join(ROOT, path, file), 'utf8')
          .replaceAll('\r', '')
          .trim()}\n`,
    )
    .join('\n');
}
