// Watches a version inside any JSON document that is served over HTTP.
import type { PackagePlugin, PackageRevision, PackageSettings } from '../../../contracts/plugins/package-repository.ts';
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import type { PollTools } from '../../../contracts/plugins/poll-tools.ts';
import { type JsonPath, JsonSelection } from '../../../kit/text/json-pick.ts';
import { isBlank, readText } from '../../setting-values.ts';
import { checkResultOf, RepositoryFailure } from './check-result.ts';
import { readIfChanged } from './conditional-get.ts';
import { ENCODINGS, get, type HttpRequest, lastModified, shown } from './http.ts';
import { readJson } from './json-answer.ts';
import { addressBelow, authorizationOf, checkRepository, repositoryFields, repositoryUrl, tokenField } from './repository-settings.ts';

const MAX_REVISION_LENGTH = 255;

export const httpJsonPackagePlugin: PackagePlugin & { readonly blocks: Required<Pick<PackagePlugin['blocks'], 'repository' | 'package'>> } =
  {
    id: 'slipway.package.http-json',
    kind: 'package-repository',
    name: 'Versions in JSON documents',
    version: '1.0.0',
    description: 'Notices when a version named in a JSON document on a web server changes.',
    vendor: 'Slipway',
    blocks: {
      repository: { fields: [...repositoryFields, tokenField], check: checkRepository },
      package: {
        fields: [
          {
            key: 'PACKAGE_PATH',
            required: true,
            title: 'Document',
            description: 'The path of the document, below the address of the repository.',
          },
          {
            key: 'REVISION_POINTER',
            required: true,
            title: 'Version at',
            description: 'Where in the document the version is, as a JSON pointer such as `/latest/version`.',
          },
        ],
        check: checkPointer,
      },
    },

    latestRevision: latest,

    async latestRevisionSince(settings, known, tools) {
      const found = await latest(settings, tools);
      return found.revision === known.revision ? undefined : found;
    },

    checkRepository: (repository, tools) =>
      checkResultOf(async () => {
        const { status, body } = await get(repositoryUrl(repository), { ...requestFor(repository), alsoWanted: NO_FIRST_PAGE }, tools);
        body.destroy();
        return [status < 300 ? 'The server answers.' : `The server answers, though its first page with status ${status}.`];
      }),

    checkPackage: (settings, tools) => checkResultOf(async () => [`Found version ${(await latest(settings, tools)).revision}.`]),
  } satisfies PackagePlugin;

/** Many servers show nothing at the address that others are below. */
const NO_FIRST_PAGE = [404, 405];

async function latest(settings: PackageSettings, tools: PollTools): Promise<PackageRevision> {
  const url = documentUrl(settings);
  const pointer = readText(settings.package, 'REVISION_POINTER').trim();
  const { revision, time } = await readIfChanged(
    url,
    pointer,
    requestFor(settings.repository),
    async (answer) => {
      const wanted = new JsonSelection(pathOf(pointer));
      const revision = await readJson(answer, [wanted], () => revisionOf(wanted, pointer), tools);
      return { revision, time: lastModified(answer.headers) ?? new Date() };
    },
    tools,
  );
  return {
    revision,
    time,
    user: undefined,
    comment: undefined,
    trackbackUrl: shown(url),
    data: { VERSION: revision, LOCATION: shown(url) },
  };
}

/** A number stays as it was written: 1.10 is not 1.1. */
function revisionOf(wanted: JsonSelection, pointer: string): string {
  const { text, value } = wanted;
  if (text === undefined) throw new RepositoryFailure(`The document has nothing at ${pointer}.`);
  const revision = typeof value === 'string' ? value.trim() : typeof value === 'number' ? text : '';
  if (revision !== '' && revision.length <= MAX_REVISION_LENGTH) return revision;
  throw new RepositoryFailure(
    `What the document has at ${pointer} is no version: it must be a text of at most ${MAX_REVISION_LENGTH} characters, or a number.`,
  );
}

function documentUrl({ repository, package: one }: PackageSettings): URL {
  return addressBelow(repositoryUrl(repository), readText(one, 'PACKAGE_PATH').trim().replace(/^\/+/, ''), 'PACKAGE_PATH');
}

function requestFor(repository: SettingValues): HttpRequest {
  return { authorization: authorizationOf(repository), headers: { accept: 'application/json, */*;q=0.8', 'accept-encoding': ENCODINGS } };
}

function checkPointer(values: SettingValues): readonly SettingProblem[] {
  const key = 'REVISION_POINTER';
  if (isBlank(values, key) || isJsonPointer(readText(values, key))) return [];
  return [{ key, message: `${key} must be a JSON pointer, for example /latest/version.` }];
}

function isJsonPointer(text: string): boolean {
  return /^\/([^~]|~[01])*$/.test(text);
}

function pathOf(pointer: string): JsonPath {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
