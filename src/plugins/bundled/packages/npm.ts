// Watches packages of an npm registry: the version under a tag, or the highest one in a range.
import type { PackagePlugin, PackageRevision, PackageSettings } from '../../../contracts/plugins/package-repository.ts';
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import type { PollTools } from '../../../contracts/plugins/poll-tools.ts';
import { JsonSelection } from '../../../kit/text/json-pick.ts';
import { isBlank, readText } from '../../setting-values.ts';
import { checkResultOf, RepositoryFailure } from './check-result.ts';
import { readIfChanged } from './conditional-get.ts';
import { ENCODINGS, get, type HttpAnswer, HttpFailure, type HttpRequest } from './http.ts';
import { readJson } from './json-answer.ts';
import { highestIn, isPackageName, isVersionRange, packagePath } from './npm-versions.ts';
import { addressBelow, authorizationOf, checkRepository, repositoryFields, repositoryUrl, tokenField } from './repository-settings.ts';

const DEFAULT_TAG = 'latest';
/** Asks for the package without the text of every version, which some registries can leave out. */
const ABBREVIATED = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*';
const WHOLE = 'application/json';

export const npmPackagePlugin = {
  id: 'slipway.package.npm',
  kind: 'package-repository',
  name: 'npm packages',
  version: '1.0.0',
  description: 'Notices new versions of packages in an npm registry.',
  vendor: 'Slipway',
  blocks: {
    repository: { fields: [...repositoryFields, tokenField], check: checkRepository },
    package: {
      fields: [
        { key: 'PACKAGE_NAME', required: true },
        { key: 'DIST_TAG', title: 'Tag', defaultValue: DEFAULT_TAG, description: 'The tag whose version counts.' },
        { key: 'VERSION_RANGE', description: 'Instead of a tag: the highest version in this range, such as `^1.2`.' },
      ],
      check: checkPackageSettings,
    },
  },

  latestRevision: async (settings, tools) => describe(settings, await latestVersion(settings, tools), tools),

  async latestRevisionSince(settings, known, tools) {
    const version = await latestVersion(settings, tools);
    return version === known.revision ? undefined : describe(settings, version, tools);
  },

  checkRepository: (repository, tools) =>
    checkResultOf(async () => {
      await ping(repository, tools);
      const isKnown = await knowsUser(repository, tools);
      return ['The registry answers.', ...(isKnown ? ['It knows the user.'] : [])];
    }),

  checkPackage: (settings, tools) =>
    checkResultOf(async () => [`Found version ${await latestVersion(settings, tools)} of ${nameOf(settings)}.`]),
} satisfies PackagePlugin;

function checkPackageSettings(values: SettingValues): readonly SettingProblem[] {
  const [name, range] = [readText(values, 'PACKAGE_NAME'), readText(values, 'VERSION_RANGE')];
  const problems: SettingProblem[] = [];
  if (!isBlank(values, 'PACKAGE_NAME') && !isPackageName(name)) {
    problems.push({
      key: 'PACKAGE_NAME',
      message: 'PACKAGE_NAME must be the name of an npm package, for example left-pad or @team/left-pad.',
    });
  }
  if (isBlank(values, 'VERSION_RANGE')) return problems;
  if (!isVersionRange(range)) {
    problems.push({ key: 'VERSION_RANGE', message: 'VERSION_RANGE must be a range of versions, for example ^2.1.0 or 3.x.' });
  }
  if (!isBlank(values, 'DIST_TAG'))
    problems.push({ key: 'VERSION_RANGE', message: 'Please give either DIST_TAG or VERSION_RANGE, not both.' });
  return problems;
}

async function latestVersion(settings: PackageSettings, tools: PollTools): Promise<string> {
  const range = readText(settings.package, 'VERSION_RANGE').trim();
  const tag = readText(settings.package, 'DIST_TAG').trim() || DEFAULT_TAG;
  const wanted = range === '' ? new JsonSelection(['dist-tags', tag]) : new JsonSelection(['versions'], { namesOnly: true });
  const request = requestFor(settings.repository, ABBREVIATED);
  const found = () => (range === '' ? wanted.value : highestIn(range, wanted.names ?? []));
  const read = (answer: HttpAnswer) => readJson(answer, [wanted], found, tools);
  const version = await readIfChanged(packageUrl(settings), `${tag} ${range}`, request, read, tools);
  if (typeof version === 'string') return version;
  const isMissing = range === '' ? `no version with the tag ${tag}` : `no version in the range ${range}`;
  throw new RepositoryFailure(`The registry has ${isMissing} of ${nameOf(settings)}.`);
}

/** The data of one version in the registry. */
async function describe(settings: PackageSettings, version: string, tools: PollTools): Promise<PackageRevision> {
  const of = (...path: string[]) => new JsonSelection(['versions', version, ...path]);
  const [time, user, description, tarball] = [
    new JsonSelection(['time', version]),
    of('_npmUser', 'name'),
    of('description'),
    of('dist', 'tarball'),
  ];
  const answer = await get(packageUrl(settings), requestFor(settings.repository, WHOLE), tools);
  const revision = (): PackageRevision => {
    const published = new Date(textOf(time) ?? Number.NaN);
    const location = textOf(tarball);
    return {
      revision: version,
      time: Number.isNaN(published.getTime()) ? new Date() : published,
      user: textOf(user),
      comment: textOf(description),
      trackbackUrl: trackbackUrl(settings, version),
      data: { VERSION: version, ...(location !== undefined && { LOCATION: location }) },
    };
  };
  return readJson(answer, [time, user, description, tarball], revision, tools);
}

function trackbackUrl(settings: PackageSettings, version: string): string {
  return `${packageUrl(settings).href}/${version}`;
}

/** Asks for the first page of a registry that cannot be pinged. */
async function ping(repository: SettingValues, tools: PollTools): Promise<void> {
  const url = repositoryUrl(repository);
  const request = requestFor(repository, WHOLE);
  const { body } = await get(addressBelow(url, '-/ping'), request, tools).catch((failure: unknown) => {
    if (failure instanceof HttpFailure && (failure.status === 404 || failure.status === 405)) return get(url, request, tools);
    throw failure;
  });
  body.destroy();
}

/** False: there are no credentials, or the registry does not say whose they are. */
async function knowsUser(repository: SettingValues, tools: PollTools): Promise<boolean> {
  if (authorizationOf(repository) === undefined) return false;
  const name = new JsonSelection(['username']);
  try {
    const answer = await get(addressBelow(repositoryUrl(repository), '-/whoami'), requestFor(repository, WHOLE), tools);
    return await readJson(answer, [name], () => textOf(name) !== undefined, tools);
  } catch (failure) {
    const isRefusal = failure instanceof HttpFailure && (failure.status === 401 || failure.status === 403);
    if (isRefusal) throw failure;
    return false;
  }
}

function requestFor(repository: SettingValues, accept: string): HttpRequest {
  return { authorization: authorizationOf(repository), headers: { accept, 'accept-encoding': ENCODINGS } };
}

function packageUrl(settings: PackageSettings): URL {
  return addressBelow(repositoryUrl(settings.repository), packagePath(nameOf(settings)));
}

function nameOf(settings: PackageSettings): string {
  return readText(settings.package, 'PACKAGE_NAME').trim();
}

function textOf({ value }: JsonSelection): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
