// The materials with the current state of each, for a page that shows them, and which pipelines use one.
import { sha512of256 } from '../../../kit/bytes/hash.ts';
import type { Material } from '../../../materials/catalogue/material.ts';
import { detailsOf, shortDescription } from '../../../materials/catalogue/messages.ts';
import type { MaterialState } from '../../../materials/polling/active-poller.ts';
import type { Detail } from '../../../materials/types/repository-definition.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, LINKS, objectSchema, TEXT, TEXTS, TIME } from '../../../shape/json/schemas.ts';
import type { Modification } from '../../../store/materials/modifications.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { dateOf } from '../common/date-of.ts';
import { docLink, links } from '../common/links.ts';
import { materialJson, visibleMaterials } from './json.ts';
import { MATERIALS_CHAPTER } from './modifications.ts';
import { exampleFingerprint, exampleMaterial, type MaterialRouteParts, withFingerprint } from './routes.ts';

export interface InternalMaterialParts extends MaterialRouteParts {
  /** The newest modification of each that has any, by fingerprint. */
  newest(fingerprints: readonly string[]): Promise<ReadonlyMap<string, Modification>>;
  stateOf(fingerprint: string): MaterialState;
}

type ShownModification = Pick<Modification, 'userName' | 'email' | 'revision' | 'modifiedTime' | 'comment'>;

const PATH = '/api/internal/materials';
const USAGES_PATH = `${PATH}/:fingerprint/usages`;
/** Runs of other pipelines are no news of a repository. */
const isRepository = ({ type }: Material) => type !== 'dependency';

export function internalMaterialRoutes(parts: InternalMaterialParts): Route[] {
  const { access, show } = parts;
  const fingerprint = exampleFingerprint(parts);
  const common = { method: 'GET', version: 1, permission: 'user' } as const;

  const list = async ({ identity, base }: ApiRequest) => {
    const materials = [...(await parts.materials()).values()].filter(isRepository);
    const visible = await visibleMaterials(materials, (use) => access.mayView(identity, use));
    const newest = await parts.newest(visible.map(({ material }) => material.fingerprint));
    const listed = visible.map(({ material, material: { fingerprint, uses }, use }) =>
      memberJson(materialJson(fingerprint, use.written, show), {
        place: shortDescription(material),
        details: detailsOf(material),
        canTrigger: uses.some((one) => access.mayOperate(identity, one)),
        users: new Set(uses.filter((one) => access.mayView(identity, one)).map(({ pipeline }) => pipeline)).size,
        state: parts.stateOf(fingerprint),
        modification: newest.get(fingerprint),
      }),
    );
    // The ETag is the same under every host name of the server.
    return jsonAnswer(listJson(listed, base), { etag: sha512of256(JSON.stringify(listed)) });
  };
  const usages = async ({ params: { fingerprint = '' }, identity, base }: ApiRequest) => {
    const uses = (await parts.materials()).get(fingerprint)?.uses ?? [];
    const visible = uses.filter((use) => access.mayView(identity, use));
    return jsonAnswer(usagesJson(fingerprint, [...new Set(visible.map(({ pipeline }) => pipeline))], base));
  };

  return [
    {
      ...common,
      path: PATH,
      description: {
        chapter: MATERIALS_CHAPTER,
        summary: 'List of the materials of all pipelines with their newest modification and what is wrong with them',
        callers: 'every user; each sees those of the pipeline groups they may see',
        response: () =>
          objectSchema({
            _links: LINKS,
            materials: { type: 'array', items: memberSchema(withFingerprint(parts.schema())), description: 'The materials.' },
          }),
        example: () =>
          listJson(
            [
              memberJson(exampleMaterial(parts), {
                place: EXAMPLE_PLACE,
                details: [['Branch', 'main']],
                canTrigger: true,
                users: 1,
                state: UNTROUBLED,
                modification: EXAMPLE,
              }),
            ],
            EXAMPLE_BASE,
          ),
        hasEtag: true,
      },
      handle: list,
    },
    {
      ...common,
      path: USAGES_PATH,
      description: {
        chapter: MATERIALS_CHAPTER,
        summary: 'Which pipelines use a material',
        details: 'The list is empty for a material that does not exist.',
        callers: 'every user; each sees the pipelines of the groups they may see',
        parameters: { fingerprint: { description: 'The fingerprint of the material.', example: fingerprint } },
        response: objectSchema({ _links: LINKS, usages: { ...TEXTS, description: 'Names of pipelines.' } }),
        example: usagesJson(fingerprint, ['web'], EXAMPLE_BASE),
      },
      handle: usages,
    },
  ];
}

interface KnownMaterial {
  readonly place: string;
  readonly details: readonly Detail[];
  readonly canTrigger: boolean;
  /** How many pipelines use it, of those that may be seen. */
  readonly users: number;
  readonly state: MaterialState;
  readonly modification: ShownModification | undefined;
}

function memberJson(
  config: JsonOut,
  { place, details, canTrigger, users, state: { startedAt, polledAt, notes }, modification }: KnownMaterial,
): JsonOut {
  return {
    config,
    place,
    details: details.filter(([, value]) => value !== null && value !== '').map(([label, value]) => ({ label, value: String(value) })),
    can_trigger_update: canTrigger,
    pipelines: users,
    material_update_in_progress: startedAt !== undefined,
    ...(startedAt && { material_update_start_time: dateOf(startedAt) }),
    ...(polledAt && { material_update_end_time: dateOf(polledAt) }),
    modification: modification ? modificationJson(modification) : null,
    messages: notes.map(({ level, message, detail }) => ({ level, message, description: detail })),
  };
}

function modificationJson({ userName, email, revision, modifiedTime, comment }: ShownModification): JsonOut {
  return {
    username: userName,
    ...(email !== null && { email_address: email }),
    revision,
    modified_time: dateOf(modifiedTime),
    comment,
  };
}

function listJson(materials: readonly JsonOut[], base: string): JsonOut {
  return { _links: links(base, { self: PATH, doc: docLink(MATERIALS_CHAPTER) }), materials };
}

function usagesJson(fingerprint: string, usages: readonly string[], base: string): JsonOut {
  const self = USAGES_PATH.replace(':fingerprint', () => encodeURIComponent(fingerprint));
  return { _links: links(base, { self, doc: docLink(MATERIALS_CHAPTER) }), usages };
}

const UNTROUBLED: MaterialState = { startedAt: undefined, polledAt: new Date(EXAMPLE_TIME), notes: [] };
const EXAMPLE_PLACE = 'https://scm.example.org/web.git';
const EXAMPLE: ShownModification = {
  userName: 'Ann Other <ann@example.org>',
  email: null,
  revision: 'a788f1876e2e1f6e5a1e91006e75cd1d467a0edb',
  modifiedTime: new Date(EXAMPLE_TIME),
  comment: 'Take the new logo',
};

function memberSchema(config: JsonSchema): JsonSchema {
  const maybeText = { type: ['string', 'null'] };
  const modification = objectSchema(
    {
      username: described(maybeText, 'Who made it.'),
      revision: described(TEXT, 'What the repository calls it.'),
      modified_time: described(TIME, 'When it was made.'),
      comment: described(maybeText, 'Its comment.'),
    },
    { others: { email_address: described(TEXT, 'The address of who made it.') } },
  );
  return objectSchema(
    {
      config: described(config, 'The material as it is configured.'),
      place: described(TEXT, 'Where it is, in short: its address without a password; of packages and SCMs, their names.'),
      details: {
        type: 'array',
        description: 'What distinguishes it from other repositories at its address, such as a branch or a view.',
        items: objectSchema({
          label: described(TEXT, 'What it is, in one word.'),
          value: described(TEXT, 'Its value.'),
        }),
      },
      can_trigger_update: { ...FLAG, description: 'Whether you may have it polled now.' },
      pipelines: { type: 'integer', description: 'How many of the pipelines that you may see use it.' },
      material_update_in_progress: described(FLAG, 'Whether it is being polled.'),
      modification: { oneOf: [modification, { type: 'null' }], description: 'The newest; null: none is known yet.' },
      messages: {
        type: 'array',
        description: 'What is wrong with it.',
        items: objectSchema({
          level: described({ enum: ['WARNING', 'ERROR'] }, 'How bad it is.'),
          message: described(TEXT, 'What is wrong.'),
          description: described(TEXT, 'More about it.'),
        }),
      },
    },
    {
      title: 'Material and what is known of it',
      others: {
        material_update_start_time: described(TIME, 'When the poll that is under way began.'),
        material_update_end_time: described(TIME, 'When a poll ended last, well or not; absent: it was never polled.'),
      },
    },
  );
}
