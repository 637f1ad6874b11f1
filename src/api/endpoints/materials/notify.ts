// Clients report that a repository has changed, so that the server need not poll it.
import { Refusal } from '../../../kit/refusal.ts';
import type { Material } from '../../../materials/catalogue/material.ts';
import { shortDescription } from '../../../materials/catalogue/messages.ts';
import { materialsAt, materialsOfScms, notifiedOfType } from '../../../materials/notify/notified.ts';
import type { PollRequestResult } from '../../../materials/polling/poll-schedule.ts';
import type { UuidFinding, UuidSearch } from '../../../materials/types/svn/find-by-uuid.ts';
import type { JsonObject, JsonSchema } from '../../../shape/json/json.ts';
import { missing, readText } from '../../../shape/json/reading.ts';
import { MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { plainReading } from '../../engine/plain-reading.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';

export interface NotifyParts {
  materials(): Promise<ReadonlyMap<string, Material>>;
  requestPoll(fingerprint: string): Promise<PollRequestResult>;
  /** The failure of a poll that the request does not wait for. */
  onLateFailure(failure: unknown): void;
  /** The materials whose Subversion repository has this identity. */
  svnWithUuid(uuid: string, materials: readonly Material[], search: UuidSearch): Promise<UuidFinding>;
}

const SCHEDULED = 'The material is now scheduled for an update. Please check relevant pipeline(s) for status.';
const UNKNOWN =
  'Unable to find material. Materials must be configured not to poll for new changes before they can be used with the notification mechanism.';
const MAX_NAMED = 5;
const NO_SVN = 'Request payload should contain repository_url or uuid';
const URL_SCHEMA: JsonSchema = { ...TEXT, description: 'As in the configuration, with or without credentials, case-insensitive.' };
const UUID_SCHEMA: JsonSchema = { ...TEXT, description: 'Instead of the URL: what `svn info` calls Repository UUID.' };

interface Kind {
  readonly type: string;
  readonly title: string;
  readonly schema: JsonSchema;
  readonly example: JsonObject;
  find(body: JsonObject, search: UuidSearch): Promise<UuidFinding>;
}

export function materialNotifyRoutes(parts: NotifyParts): Route[] {
  const all = async () => (await parts.materials()).values();
  const plainly = (found: readonly Material[]): UuidFinding => ({ found, notQueried: [] });
  const byUrl = (type: string, title: string): Kind => ({
    type,
    title,
    schema: objectSchema({ repository_url: URL_SCHEMA }),
    example: { repository_url: `https://scm.example.org/${type}/shop` },
    find: async (body) => plainly(materialsAt(neededText(body, 'repository_url'), type, await all())),
  });
  const kinds: readonly Kind[] = [
    byUrl('git', 'Git'),
    byUrl('hg', 'Mercurial'),
    {
      ...byUrl('svn', 'Subversion'),
      schema: { type: 'object', properties: { repository_url: URL_SCHEMA, uuid: UUID_SCHEMA } },
      find: async (body, search) => {
        const url = optionalText(body, 'repository_url');
        if (url) return plainly(materialsAt(url, 'svn', await all()));
        const uuid = optionalText(body, 'uuid');
        if (!uuid) throw new Refusal('invalid', NO_SVN);
        return parts.svnWithUuid(uuid, notifiedOfType('svn', await all()), search);
      },
    },
    {
      type: 'scm',
      title: 'SCM',
      schema: objectSchema({ scm_name: { ...TEXT, description: 'The name of the SCM, case-insensitive.' } }),
      example: { scm_name: 'shop-sources' },
      find: async (body) => plainly(materialsOfScms([neededText(body, 'scm_name')], await all())),
    },
  ];
  return kinds.map((kind) => routeOf(kind, parts));
}

function routeOf({ type, title, schema, example, find }: Kind, { requestPoll, onLateFailure }: NotifyParts): Route {
  return {
    method: 'POST',
    path: `/api/admin/materials/${type}/notify`,
    version: 2,
    permission: 'admin',
    description: {
      chapter: 'materials',
      summary: `Report that a ${title} ${type === 'scm' ? 'material' : 'repository'} has changed`,
      details: 'Only for materials that are not polled: their `auto_update` is false.',
      request: { schema, example },
      response: MESSAGE,
      example: { message: SCHEDULED },
      status: 202,
      failures: {
        404: { when: 'No such material accepts notifications, as far as its repository could be asked.', example: { message: UNKNOWN } },
        422: { when: 'The body does not say which material.' },
      },
    },
    handle: async (request) => {
      const { body, isDryRun } = request;
      const gone = new AbortController();
      const stopWatching = request.onGone(() => gone.abort());
      const onFoundLater = ({ fingerprint }: Material) => {
        if (!isDryRun) void requestPoll(fingerprint).catch(onLateFailure);
      };
      const { found, notQueried } = await find(body, { signal: gone.signal, onFoundLater }).finally(stopWatching);
      if (found.length === 0) throw new Refusal('notFound', [UNKNOWN, ...notAskedText(notQueried)].join(' '));
      if (!isDryRun) await Promise.all(found.map(({ fingerprint }) => requestPoll(fingerprint)));
      return jsonAnswer({ message: SCHEDULED }, { status: 202 });
    },
  };
}

/** The message about materials that were not asked: the repository may be in one of them nevertheless. */
function notAskedText(materials: readonly Material[]): readonly string[] {
  if (materials.length === 0) return [];
  const some = materials.slice(0, MAX_NAMED).map(shortDescription);
  const more = materials.length > some.length ? ` and ${materials.length - some.length} more` : '';
  return [`These could not be asked for their UUIDs: ${some.join(', ')}${more}.`];
}

function neededText(body: JsonObject, name: string): string {
  const problems: Problem[] = [];
  const place = { holder: body, path: [], reading: plainReading(problems) };
  const value = readText(place, name);
  if (value === undefined && problems.length === 0) missing(place, name);
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  return value ?? '';
}

function optionalText(body: JsonObject, name: string): string | undefined {
  return (body[name] ?? null) === null ? undefined : neededText(body, name);
}
