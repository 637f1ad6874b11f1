// Watches packages of a Debian archive: the newest version among those that are in it now, in the order of dpkg.
import type { PackagePlugin, PackageRevision, PackageSettings } from '../../../contracts/plugins/package-repository.ts';
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import type { PollTools } from '../../../contracts/plugins/poll-tools.ts';
import { isBlank, readText } from '../../setting-values.ts';
import { checkResultOf, RepositoryFailure } from './check-result.ts';
import {
  DEFAULT_ARCHITECTURE,
  DEFAULT_COMPONENT,
  type FoundPackage,
  findPackage,
  indexesOf,
  readArchive,
  suiteOf,
} from './debian-archive.ts';
import { get, HttpFailure, lastModified } from './http.ts';
import { addressBelow, authorizationOf, checkRepository, repositoryFields, repositoryUrl } from './repository-settings.ts';

const PACKAGE_NAME = /^[a-z0-9][a-z0-9+.-]*$/;

export const debianPackagePlugin = {
  id: 'slipway.package.debian',
  kind: 'package-repository',
  name: 'Debian packages',
  version: '1.0.0',
  description: 'Notices new versions of packages in a Debian archive.',
  vendor: 'Slipway',
  blocks: {
    repository: {
      fields: [
        ...repositoryFields,
        { key: 'SUITE', required: true, description: 'Such as `bookworm`; with `/` at its end, a flat archive.' },
        { key: 'COMPONENT', title: 'Components', defaultValue: DEFAULT_COMPONENT },
        { key: 'ARCHITECTURE', title: 'Architectures', defaultValue: DEFAULT_ARCHITECTURE },
      ],
      check: checkRepository,
    },
    package: { fields: [{ key: 'PACKAGE_NAME', required: true }], check: checkName },
  },

  latestRevision: async (settings, tools) => describe(settings, await find(settings, tools), tools),

  async latestRevisionSince(settings, known, tools) {
    const found = await find(settings, tools);
    return found.package.version === known.revision ? undefined : describe(settings, found, tools);
  },

  checkRepository: (repository, tools) =>
    checkResultOf(() =>
      readArchive(
        repository,
        '',
        async (release) => {
          const { length } = indexesOf(release, repository);
          return [`Found the suite ${suiteOf(repository)} with ${length === 1 ? 'one index' : `${length} indexes`} of packages.`];
        },
        tools,
      ),
    ),

  checkPackage: (settings, tools) =>
    checkResultOf(async () => [`Found version ${(await find(settings, tools)).package.version} of ${nameOf(settings)}.`]),
} satisfies PackagePlugin;

async function find(settings: PackageSettings, tools: PollTools): Promise<FoundPackage> {
  const found = await findPackage(settings.repository, nameOf(settings), tools);
  if (found) return found;
  throw new RepositoryFailure(`The archive has no package ${nameOf(settings)}.`);
}

async function describe(settings: PackageSettings, { package: found, released }: FoundPackage, tools: PollTools): Promise<PackageRevision> {
  const location = found.path === undefined ? undefined : addressBelow(repositoryUrl(settings.repository), found.path, 'Every package');
  const uploaded = location && (await uploadTime(location, settings.repository, tools));
  return {
    revision: found.version,
    time: uploaded ?? released ?? new Date(),
    user: found.maintainer,
    comment: found.description,
    trackbackUrl: location?.href,
    data: { VERSION: found.version, ARCHITECTURE: found.architecture, ...(location && { LOCATION: location.href }) },
  };
}

/** Indexes do not give it, the file does. */
async function uploadTime(url: URL, repository: SettingValues, tools: PollTools): Promise<Date | undefined> {
  try {
    const { headers, body } = await get(url, { method: 'HEAD', authorization: authorizationOf(repository) }, tools);
    body.resume();
    return lastModified(headers);
  } catch (failure) {
    if (failure instanceof HttpFailure && failure.status !== undefined) return undefined;
    throw failure;
  }
}

function checkName(values: SettingValues): readonly SettingProblem[] {
  const key = 'PACKAGE_NAME';
  if (isBlank(values, key) || PACKAGE_NAME.test(readText(values, key).trim())) return [];
  return [{ key, message: `${key} must be the name of a Debian package: small letters, digits, plus, minus and periods.` }];
}

function nameOf(settings: PackageSettings): string {
  return readText(settings.package, 'PACKAGE_NAME').trim();
}
