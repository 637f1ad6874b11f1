// The materials with what is known of each now, for a page that shows them, and which pipelines use one.
import type { Material } from '../../../materials/catalogue/material.ts';
import type { MaterialState } from '../../../materials/polling/active-poller.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, LINKS, objectSchema, TEXT, TEXTS, TIME } from '../../../shape/json/schemas.ts';
import type { Modification } from '../../../store/materials/modifications.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { materialJson, seenMaterials } from './json.ts';
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
    const seen = await seenMaterials(materials, (group) => access.mayView(identity, group));
    const newest = await parts.newest(seen.map(({ material }) => material.fingerprint));
    const listed = seen.map(({ material: { fingerprint, uses }, use }) =>
      memberJson(materialJson(fingerprint, use.written, show), {
        canTrigger: uses.some(({ group }) => access.mayOperate(identity, group)),
        state: parts.stateOf(fingerprint),
        modification: newest.get(fingerprint),
      }),
    );
    return jsonAnswer(listJson(listed, base));
  };
  const usages = async ({ params: { fingerprint = '' }, identity, base }: ApiRequest) => {
    const uses = (await parts.materials()).get(fingerprint)?.uses ?? [];
    const visible = uses.filter(({ group }) => access.mayView(identity, group));
    return jsonAnswer(usagesJson(fingerprint, [...new Set(visible.map(({ pipeline }) => pipeline))], base));
  };

  return [
    {
      ...common,
      path: PATH,
      description: {
        chapter: MATERIALS_CHAPTER,
        summary: 'List of the materials of all pipelines with their newest modification and what is wrong with them',
        who: 'every user; each sees those of the pipeline groups they may see',
        response: () =>
          objectSchema({
            _links: LINKS,
            materials: { type: 'array', items: memberSchema(withFingerprint(parts.schema())), description: 'The materials.' },
          }),
        example: () =>
          listJson([memberJson(exampleMaterial(parts), { canTrigger: true, state: UNTROUBLED, modification: EXAMPLE })], EXAMPLE_BASE),
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
        who: 'every user; each sees the pipelines of the groups they may see',
        parameters: { fingerprint: { description: 'The fingerprint of the material.', example: fingerprint } },
        response: objectSchema({ _links: LINKS, usages: { ...TEXTS, description: 'Names of pipelines.' } }),
        example: usagesJson(fingerprint, ['web'], EXAMPLE_BASE),
      },
      handle: usages,
    },
  ];
}

interface Known {
  readonly canTrigger: boolean;
  readonly state: MaterialState;
  readonly modification: ShownModification | undefined;
}

function memberJson(config: JsonOut, { canTrigger, state: { startedAt, notes }, modification }: Known): JsonOut {
  return {
    config,
    can_trigger_update: canTrigger,
    material_update_in_progress: startedAt !== undefined,
    ...(startedAt && { material_update_start_time: timeText(startedAt) }),
    modification: modification ? modificationJson(modification) : null,
    messages: notes.map(({ level, message, detail }) => ({ level, message, description: detail })),
  };
}

function modificationJson({ userName, email, revision, modifiedTime, comment }: ShownModification): JsonOut {
  return {
    username: userName,
    ...(email !== null && { email_address: email }),
    revision,
    modified_time: timeText(modifiedTime),
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

/** Dates in answers have no fractions of seconds. */
function timeText(time: Date): string {
  return time.toISOString().replace(/\.\d+/, '');
}

const UNTROUBLED: MaterialState = { startedAt: undefined, notes: [] };
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
      comment: described(maybeText, 'What was said of it.'),
    },
    { others: { email_address: described(TEXT, 'The address of who made it.') } },
  );
  return objectSchema(
    {
      config: described(config, 'The material as it is configured.'),
      can_trigger_update: { ...FLAG, description: 'Whether you may have it looked at now.' },
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
      others: { material_update_start_time: described(TIME, 'When the poll that is under way began.') },
    },
  );
}
