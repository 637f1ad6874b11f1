// The materials of all pipelines, the modifications of each, and a poll of one on demand.
import type { Identity } from '../../../access/identity.ts';
import type { Config } from '../../../config/current.ts';
import { sha512of256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { fingerprintOf } from '../../../materials/catalogue/fingerprint.ts';
import type { Material } from '../../../materials/catalogue/material.ts';
import type { PollRequestResult } from '../../../materials/polling/poll-schedule.ts';
import type { KindName } from '../../../shape/configuration.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, embeddedSchema, MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { ModificationPage } from '../../../store/materials/modifications.ts';
import { EXAMPLE_BASE, exampleOf } from '../../engine/answer-example.ts';
import { atAnyTime } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { inGroupsOfToday, type Listing, MaterialList, type MaterialVisibility, materialJson, type ShowMaterial } from './json.ts';
import {
  describeModifications,
  MATERIAL_NOT_VISIBLE,
  MATERIALS_CHAPTER,
  MODIFICATIONS_PATH,
  modificationsJson,
  PAGE_SIZE,
  UNKNOWN,
} from './modifications.ts';

export interface MaterialRouteParts extends ResourceParts {
  /** By fingerprint. */
  materials(): Promise<ReadonlyMap<string, Material>>;
  /** One that is in no pipeline, because another one brings it in. */
  findExternal(fingerprint: string): Promise<Material | undefined>;
  /** All that the list is made of. */
  listing(): Promise<Listing>;
  /** The materials of an earlier configuration. */
  listingOf(then: Config): Promise<Listing>;
  readonly show: ShowMaterial;
  /** The schema of the result of `show`: one for each type. */
  schema(): JsonSchema;
  /** From the newest; empty when the material was never polled. */
  modifications(fingerprint: string, offset: number, limit: number): Promise<ModificationPage>;
  requestPoll(fingerprint: string): Promise<PollRequestResult>;
}

const LIST_PATH = '/api/config/materials';
const TRIGGER_PATH = '/api/internal/materials/:fingerprint/trigger_update';
const BAD_OFFSET = "The query parameter 'offset', if specified, must be a positive integer.";
const BUSY = 'Update already in progress.';

export function materialRoutes(parts: MaterialRouteParts): Route[] {
  const { access, show } = parts;
  const list = new MaterialList(show);
  const find = async (fingerprint = '') => {
    const material = (await parts.materials()).get(fingerprint) ?? (await parts.findExternal(fingerprint));
    return material && material.uses.length > 0 ? material : undefined;
  };
  const fingerprint = { description: 'The fingerprint of the material.', example: exampleFingerprint(parts) };
  const described = describeModifications(fingerprint.example);
  const mayView = (identity: Identity, { uses }: Material) => uses.some((use) => access.mayView(identity, use));
  const modifications = async (request: ApiRequest) => {
    const { params, identity, base } = request;
    const offset = offsetIn(params.offset);
    const material = await find(params.fingerprint);
    if (!material && access.isAdmin(identity)) throw new Refusal('notFound', UNKNOWN);
    if (!material || !mayView(identity, material)) throw new Refusal('forbidden', MATERIAL_NOT_VISIBLE);
    const page = await parts.modifications(material.fingerprint, offset, PAGE_SIZE);
    return jsonAnswer(modificationsJson(material.fingerprint, offset, page, base), { etag: sha512of256(JSON.stringify(page)) });
  };
  const listAnswer = async (from: MaterialList, listing: Listing, { identity, base }: ApiRequest): Promise<Answer> => {
    const members = await from.textFor(listing, visibilityOf(identity, access));
    const text = `{"_links":${JSON.stringify(listLinks(base))},"_embedded":{"materials":[${members.text}]}}`;
    return { status: 200, text, bytes: Buffer.byteLength(text), etag: members.etag };
  };
  const showing = (route: Route) =>
    atAnyTime(route, parts, async (revision, request) => {
      const listing = await parts.listingOf(await parts.past.config(KINDS, revision));
      const groupOf = (pipeline: string, then: string) =>
        access.mayView(request.identity, { group: then, pipeline }) ? parts.config.of(PIPELINES).find(pipeline)?.value.group : undefined;
      return listAnswer(new MaterialList(show), inGroupsOfToday(listing, groupOf), request);
    });
  return [
    showing({
      method: 'GET',
      path: LIST_PATH,
      version: 2,
      permission: 'user',
      description: {
        chapter: MATERIALS_CHAPTER,
        summary: 'List of the materials of all pipelines, each once',
        callers: 'every user; each sees those of the pipeline groups they may see',
        response: () => embeddedSchema('materials', withFingerprint(parts.schema())),
        example: () => ({ _links: listLinks(EXAMPLE_BASE), _embedded: { materials: [exampleMaterial(parts)] } }),
        hasEtag: true,
      },
      handle: async (request) => listAnswer(list, await parts.listing(), request),
    }),
    {
      method: 'GET',
      path: MODIFICATIONS_PATH,
      version: 2,
      permission: 'user',
      description: { ...described, summary: 'What has changed in a material, the newest first', parameters: { fingerprint } },
      handle: modifications,
    },
    {
      method: 'GET',
      path: `${MODIFICATIONS_PATH}/:offset`,
      version: 2,
      permission: 'user',
      description: {
        ...described,
        summary: 'What has changed in a material before its newest changes',
        parameters: { fingerprint, offset: { description: 'How many of the newest to leave out.', example: '0' } },
        failures: { ...described.failures, 400: { when: 'The offset is not a number.', example: { message: BAD_OFFSET } } },
      },
      handle: modifications,
    },
    {
      method: 'POST',
      path: TRIGGER_PATH,
      version: 1,
      permission: 'user',
      description: {
        chapter: MATERIALS_CHAPTER,
        summary: 'Poll a material now',
        callers: 'users who may see a pipeline group that uses it, and operate one',
        parameters: { fingerprint },
        headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Needed because there is no body; `true`.' } },
        response: MESSAGE,
        example: { message: 'OK' },
        status: 201,
        failures: {
          401: { when: 'Not authenticated; or not allowed to see the material, or to operate a pipeline group that uses it.' },
          404: { example: { message: 'Material not found' } },
          409: { when: 'It is being polled.', example: { message: BUSY } },
        },
      },
      handle: async ({ params, identity, isDryRun }) => {
        const material = await find(params.fingerprint);
        if (!material && access.isAdmin(identity)) throw new Refusal('notFound', 'Material not found');
        if (!material || !mayView(identity, material)) throw new Refusal('unauthenticated', 'Do not have view permission to this material');
        if (!material.uses.some((use) => access.mayOperate(identity, use)))
          throw new Refusal('unauthenticated', 'Do not have permission to trigger this material');
        // A material that is not polled, such as another pipeline, has no news to find.
        const answer = isDryRun ? 'scheduled' : await parts.requestPoll(material.fingerprint);
        if (answer === 'busy') throw new Refusal('conflict', BUSY);
        return jsonAnswer({ message: 'OK' }, { status: 201 });
      },
    },
  ];
}

/** A token may be limited to some pipelines of a group. */
function visibilityOf(identity: Identity, access: MaterialRouteParts['access']): MaterialVisibility {
  if (identity.scopes) return { seesUse: (use) => access.mayView(identity, use) };
  return { seesGroup: (group) => access.mayViewGroup(identity, group) };
}

const PIPELINES = 'pipelines';
/** The kinds that decide which materials there are. */
const KINDS: readonly KindName[] = [PIPELINES, 'pipelineGroups', 'scms', 'packages', 'packageRepositories'];

function offsetIn(text: string | undefined): number {
  const given = text ?? '0';
  if (!/^\d{1,15}$/.test(given)) throw new Refusal('malformed', BAD_OFFSET);
  return Number(given);
}

function listLinks(base: string): JsonOut {
  return links(base, { doc: docLink(MATERIALS_CHAPTER), self: LIST_PATH });
}

/** The first material of the example of pipelines. */
export function exampleMaterial(parts: MaterialRouteParts): JsonOut {
  const { materials } = exampleOf(parts.config.kind('pipelines'), parts);
  return materialJson(exampleFingerprint(parts), materials[0]!, parts.show);
}

export function exampleFingerprint({ config }: Pick<MaterialRouteParts, 'config'>): string {
  const [{ attributes }] = config.kind('pipelines').example.materials as [{ attributes: { url: string; branch: string } }];
  return fingerprintOf({ type: 'git', url: attributes.url, branch: attributes.branch });
}

/** The schema of materials as lists show them. */
export function withFingerprint({ oneOf = [] }: JsonSchema): JsonSchema {
  const variants = oneOf.map(({ properties: { type = {}, attributes = {} } = {} }) =>
    objectSchema({
      type,
      fingerprint: described(TEXT, 'Stands for it in addresses; the same for equal materials.'),
      attributes,
    }),
  );
  return { oneOf: variants };
}
