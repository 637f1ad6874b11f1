// The materials of all pipelines, what has changed in each, and a look at one on demand.
import type { Identity } from '../../access/identity.ts';
import { sha512of256 } from '../../kit/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import { fingerprintOf } from '../../materials/fingerprint.ts';
import type { Material } from '../../materials/of-config.ts';
import type { Verdict } from '../../materials/watch.ts';
import { isObject, type JsonOut, type JsonSchema } from '../../shape/json.ts';
import { embeddedSchema, LINKS, MAYBE_TEXT, MESSAGE, objectSchema, TEXT } from '../../shape/schemas.ts';
import type { Modification, ModificationPage } from '../../store/modifications.ts';
import { EXAMPLE_BASE, exampleOf } from '../answer-example.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../route.ts';
import { docLink, links } from './links.ts';
import { type Listing, MaterialList, materialJson, type ShowMaterial } from './material-list.ts';

export interface MaterialRouteParts extends ResourceParts {
  /** By fingerprint. */
  materials(): Promise<ReadonlyMap<string, Material>>;
  /** One that is in no pipeline, because another one brings it in. */
  findBroughtIn(fingerprint: string): Material | undefined;
  /** All that the list is made of. */
  listing(): Promise<Listing>;
  readonly show: ShowMaterial;
  /** The schema of what `show` gives: one for each type. */
  readonly schema: JsonSchema;
  /** From the newest; empty when the material was never looked at. */
  modifications(fingerprint: string, offset: number, most: number): Promise<ModificationPage>;
  update(fingerprint: string): Promise<Verdict>;
}

const LIST_PATH = '/api/config/materials';
const MODIFICATIONS_PATH = '/api/materials/:fingerprint/modifications';
const TRIGGER_PATH = '/api/internal/materials/:fingerprint/trigger_update';
const CHAPTER = 'materials';
const PAGE_SIZE = 10;
const UNKNOWN = 'Not Found { Material not found }';
const NOT_YOURS = 'Unauthorized { Do not have view permission to this material }';
const BAD_OFFSET = "The query parameter 'offset', if specified, must be a positive integer.";
const BUSY = 'Update already in progress.';
const VIEWERS = 'users who may see a pipeline group that uses it';

export function materialRoutes(parts: MaterialRouteParts): Route[] {
  const { access, show } = parts;
  const list = new MaterialList(show);
  const find = async (fingerprint = '') => {
    const material = (await parts.materials()).get(fingerprint) ?? parts.findBroughtIn(fingerprint);
    return material && material.uses.length > 0 ? material : undefined;
  };
  const example = exampleMaterial(parts);
  const fingerprint = { description: 'The fingerprint of the material.', example: String(example.fingerprint) };
  const described = describeModifications(String(example.fingerprint));
  const mayView = (identity: Identity, { uses }: Material) => uses.some(({ group }) => access.mayView(identity, group));
  const modifications = async (request: ApiRequest) => {
    const { params, identity, base } = request;
    const offset = offsetIn(params.offset);
    const material = await find(params.fingerprint);
    if (!material) throw new Refusal('notFound', UNKNOWN);
    if (!mayView(identity, material)) throw new Refusal('forbidden', NOT_YOURS);
    const page = await parts.modifications(material.fingerprint, offset, PAGE_SIZE);
    return jsonAnswer(pageJson(material.fingerprint, offset, page, base), { etag: sha512of256(JSON.stringify(page)) });
  };
  return [
    {
      method: 'GET',
      path: LIST_PATH,
      version: 2,
      permission: 'user',
      description: {
        chapter: CHAPTER,
        summary: 'List of the materials of all pipelines, each once',
        who: 'every user; each sees those of the pipeline groups they may see',
        response: embeddedSchema('materials', withFingerprint(parts.schema)),
        example: { _links: listLinks(EXAMPLE_BASE), _embedded: { materials: [example] } },
        hasEtag: true,
      },
      handle: async ({ identity, base }) => {
        const members = await list.textFor(await parts.listing(), (group) => access.mayView(identity, group));
        const text = `{"_links":${JSON.stringify(listLinks(base))},"_embedded":{"materials":[${members.text}]}}`;
        return { status: 200, text, bytes: Buffer.byteLength(text), etag: members.etag };
      },
    },
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
        chapter: CHAPTER,
        summary: 'Look at a material now',
        who: 'users who may see a pipeline group that uses it, and operate one',
        parameters: { fingerprint },
        headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Needed because there is no body; `true`.' } },
        response: MESSAGE,
        example: { message: 'OK' },
        status: 201,
        failures: {
          401: { when: 'Not authenticated; or not allowed to see the material, or to operate a pipeline group that uses it.' },
          404: { example: { message: 'Material not found' } },
          409: { when: 'It is being looked at.', example: { message: BUSY } },
        },
      },
      handle: async ({ params, identity, isDryRun }) => {
        const material = await find(params.fingerprint);
        if (!material) throw new Refusal('notFound', 'Material not found');
        if (!mayView(identity, material)) throw new Refusal('unauthenticated', 'Do not have view permission to this material');
        if (!material.uses.some(({ group }) => access.mayOperate(identity, group)))
          throw new Refusal('unauthenticated', 'Do not have permission to trigger this material');
        // Of what is not looked at, such as another pipeline, there is nothing to find out.
        const verdict = isDryRun ? 'scheduled' : await parts.update(material.fingerprint);
        if (verdict === 'busy') throw new Refusal('conflict', BUSY);
        return jsonAnswer({ message: 'OK' }, { status: 201 });
      },
    },
  ];
}

function offsetIn(text: string | undefined): number {
  const given = text ?? '0';
  if (!/^\d{1,15}$/.test(given)) throw new Refusal('malformed', BAD_OFFSET);
  return Number(given);
}

function listLinks(base: string): JsonOut {
  return links(base, { doc: docLink(CHAPTER), self: LIST_PATH });
}

function pageJson(fingerprint: string, offset: number, { total, modifications }: ModificationPage, base: string): JsonOut {
  const self = MODIFICATIONS_PATH.replace(':fingerprint', encodeURIComponent(fingerprint));
  return {
    _links: links(base, { self, doc: docLink(CHAPTER), find: `${MODIFICATIONS_PATH}/{offset}` }),
    _embedded: { modifications: modifications.map(modificationJson), pagination: { page_size: PAGE_SIZE, offset, total } },
  };
}

function modificationJson({ id, userName, email, revision, modifiedTime, comment }: Omit<Modification, 'ordinal'>): JsonOut {
  return { id, user_name: userName, email_address: email, revision, modified_time: modifiedTime.getTime(), comment };
}

const COUNT: JsonSchema = { type: 'integer' };
const MODIFICATION = objectSchema(
  {
    id: { ...COUNT, description: 'Grows with every change in any material.' },
    user_name: MAYBE_TEXT,
    email_address: MAYBE_TEXT,
    revision: TEXT,
    modified_time: { ...COUNT, description: 'Milliseconds since 1970 began.' },
    comment: MAYBE_TEXT,
  },
  { title: 'Modification' },
);

function describeModifications(fingerprint: string): Omit<RouteDescription, 'summary'> {
  const newest = {
    id: 7225,
    ordinal: 1,
    userName: 'Ann Other <ann@example.org>',
    email: null,
    revision: 'a788f1876e2e1f6e5a1e91006e75cd1d467a0edb',
    modifiedTime: new Date('2026-01-31T09:30:00Z'),
    comment: 'Take the new logo',
  };
  return {
    chapter: CHAPTER,
    who: VIEWERS,
    response: objectSchema({
      _links: LINKS,
      _embedded: objectSchema({
        modifications: { type: 'array', items: MODIFICATION },
        pagination: objectSchema({ page_size: COUNT, offset: COUNT, total: COUNT }),
      }),
    }),
    example: pageJson(fingerprint, 0, { total: 1, modifications: [newest] }, EXAMPLE_BASE),
    hasEtag: true,
    failures: {
      403: { when: 'No pipeline group that uses it may be seen.', example: { message: NOT_YOURS } },
      404: { example: { message: UNKNOWN } },
    },
  };
}

/** The first material of the example of pipelines. */
function exampleMaterial(parts: MaterialRouteParts): JsonOut {
  const [written] = exampleOf(parts.config.kinds.get('pipelines')!, parts).materials as [Material['written']];
  const { url, branch } = written.attributes as { readonly url: string; readonly branch: string };
  return materialJson(fingerprintOf({ type: 'git', url, branch }), written, parts.show);
}

function withFingerprint({ oneOf }: JsonSchema): JsonSchema {
  const variants = (oneOf as readonly JsonSchema[]).map((variant) => {
    const { type, attributes } = isObject(variant.properties) ? variant.properties : {};
    return objectSchema({ type: type as JsonSchema, fingerprint: TEXT, attributes: attributes as JsonSchema });
  });
  return { oneOf: variants };
}
