// Tries out the repository of a pipeline or of a config repo before, or after, it is saved.

import { Refusal } from '../../../kit/refusal.ts';
import type { ConfiguredPipeline, WrittenMaterial } from '../../../materials/catalogue/configured-types.ts';
import type { MaterialTools } from '../../../materials/catalogue/identity.ts';
import { foundMaterial } from '../../../materials/catalogue/material.ts';
import type { Referrer, SecretLookup } from '../../../materials/catalogue/secret-texts.ts';
import type { MaterialClient, MaterialRules, PolledMaterial } from '../../../materials/clients/client.ts';
import { checkRepository } from '../../../materials/polling/check-repository.ts';
import { findRepositoryDefinition } from '../../../materials/types/list.ts';
import type { EntityNamed, KindName } from '../../../shape/configuration.ts';
import { isObject, type JsonObject, type JsonSchema } from '../../../shape/json/json.ts';
import { described, MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { type Path, type Problem, problemUnless, withoutDerivedProblems } from '../../../shape/problems/problem.ts';
import type { Collection, Kind } from '../../../shape/resource.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { type Answer, type ApiRequest, type Guard, jsonAnswer, type Route } from '../../engine/route.ts';
import { readBodyAs } from '../../engine/verbs/read-body.ts';
import { type FindConnectionProblems, NOT_TRIED } from './check.ts';
import { type CheckLanes, LIMITS_TEXT } from './lanes.ts';

export interface RepositoryChecks {
  readonly clients: Readonly<Record<string, Pick<MaterialClient<PolledMaterial>, 'checkConnection'>>>;
  readonly tools: MaterialTools;
  readonly secrets: SecretLookup;
  readonly rules: MaterialRules;
  readonly findProblems: FindConnectionProblems;
  readonly lanes: CheckLanes;
}

interface OwnedMaterial {
  readonly written: WrittenMaterial;
  readonly pipeline?: ConfiguredPipeline;
}

/** The kind of entity that has the repository. */
interface Owner<K extends KindName> {
  readonly kind: Kind<K> & Collection;
  readonly summary: string;
  readonly guard: Guard;
  /** The members beside `material`. */
  readonly members: Readonly<Record<string, JsonSchema>>;
  readonly example: JsonObject;
  /** The owner as it would be saved with the material. */
  bodyOf(body: JsonObject): JsonObject;
  /** Where the material stands in it. */
  readonly at: Path;
  materialOf(entity: EntityNamed<K>): OwnedMaterial;
  /** The pipeline group that it belongs to. */
  groupOf?(entity: EntityNamed<K>): string;
  referrerOf(entity: EntityNamed<K>): Referrer;
}

const OK = 'Connection OK.';
const FAILED = 'Check connection failed.';
const NO_MATERIAL = '`material` must be an object with a `type` and `attributes`.';
const NO_DEFINITIONS = { scm: () => undefined, package: () => undefined, repository: () => undefined };
const MATERIAL = described({ type: 'object', additionalProperties: true }, 'The material: its `type`, and its `attributes`.');
const PARAMETER = objectSchema({ name: described(TEXT, 'Its name.'), value: described(TEXT, 'Its value.') });
const EXAMPLE = { type: 'git', attributes: { url: 'https://scm.example.org/web.git', branch: 'main' } };

export function checkRepositoryRoutes(checks: RepositoryChecks, parts: ResourceParts): Route[] {
  const { config } = parts;
  return [
    route(ofPipelines(config.collection('pipelines')), checks, parts),
    route(ofConfigRepos(config.collection('configRepos')), checks, parts),
  ];
}

function ofPipelines(kind: Kind<'pipelines'> & Collection): Owner<'pipelines'> {
  const of = (body: JsonObject) => ({ resource: textIn(body, 'name'), within: textIn(body, 'group') });
  return {
    kind,
    summary: 'Try out a repository for a pipeline without saving it',
    guard: { type: 'pipeline', action: 'administer', isInBody: true, on: ({ body }) => of(body) },
    members: {
      group: described(TEXT, 'The group of the pipeline.'),
      name: described(TEXT, 'The pipeline; empty: a new one.'),
      parameters: described({ type: 'array', items: PARAMETER }, 'Its parameters.'),
    },
    example: { group: 'shop', name: 'web' },
    bodyOf: ({ name = '', group = '', parameters = [], material = null }) => ({
      name,
      group,
      parameters,
      materials: [material],
      stages: [],
    }),
    at: ['materials', 0],
    materialOf: (pipeline) => ({ written: pipeline.materials[0]!, pipeline }),
    groupOf: ({ group }) => group,
    referrerOf: ({ group }) => ({ type: 'pipeline_group', name: group }),
  };
}

function ofConfigRepos(kind: Kind<'configRepos'> & Collection): Owner<'configRepos'> {
  return {
    kind,
    summary: 'Try out a repository for a config repo without saving it',
    guard: { type: 'config_repo', action: 'administer', isInBody: true, on: ({ body }) => ({ resource: textIn(body, 'id') }) },
    members: { id: described(TEXT, 'The config repo; empty: a new one.') },
    example: { id: 'team-a' },
    bodyOf: ({ id = '', material = null }) => ({ id, plugin_id: kind.example.plugin_id ?? '', material }),
    at: ['material'],
    materialOf: ({ material }) => ({ written: material }),
    referrerOf: ({ id }) => ({ type: 'config_repo', name: id }),
  };
}

function route<K extends KindName>(owner: Owner<K>, checks: RepositoryChecks, parts: ResourceParts): Route {
  const { kind, summary, guard, members, example } = owner;
  return {
    method: 'POST',
    path: kind.path.replace('/api/admin/', '/api/admin/internal/').concat('/verify_connection'),
    version: 1,
    permission: kind.permission,
    guard,
    description: {
      chapter: kind.doc,
      summary,
      details: LIMITS_TEXT,
      request: { schema: objectSchema({ material: MATERIAL }, { others: members }), example: { ...example, material: EXAMPLE } },
      response: MESSAGE,
      example: { message: OK },
      changes: 'nothing',
      failures: {
        422: {
          when: 'The material is not complete, or the repository does not answer; `message` says why.',
          example: { message: `${FAILED} URL cannot be blank` },
        },
      },
    },
    handle: (request) => check(owner, checks, parts, request),
  };
}

async function check<K extends KindName>(
  owner: Owner<K>,
  checks: RepositoryChecks,
  parts: ResourceParts,
  request: ApiRequest,
): Promise<Answer> {
  const { kind } = owner;
  const { body, identity } = request;
  const failed = (reasons: readonly string[]) => jsonAnswer({ message: [FAILED, ...reasons].join(' ') }, { status: 422 });
  if (!isObject(body) || !isObject(body.material)) return failed([NO_MATERIAL]);
  const before = storedOwner(owner, parts, body);
  const { entity, problems } = await readBodyAs(kind, owner.bodyOf(body), parts, before);
  const { written, pipeline } = resolvedMaterial(owner.materialOf(entity), checks);
  const found = withoutDerivedProblems([
    ...problems,
    ...attributeProblems(written, owner.at),
    ...checks.findProblems(kind, before, entity, identity),
  ]);
  const own = found.filter(({ at }) => owner.at.every((step, index) => at[index] === step));
  if (own.length > 0) return failed(own.map(({ message }) => message));
  const client = checks.clients[written.type];
  if (!client) return failed([`Materials of the type ${written.type} cannot be tried out here.`]);
  if (request.isDryRun) return jsonAnswer({ message: NOT_TRIED });
  const gone = new AbortController();
  const stopWatching = request.onGone(() => gone.abort());
  const ask = async () => {
    const polled = foundMaterial(written, NO_DEFINITIONS, checks.tools, pipeline).toPoll();
    const { password } = polled;
    const clear = typeof password === 'string' ? { password: await checks.secrets.resolve(password, owner.referrerOf(entity)) } : {};
    await checkRepository(client, { ...polled, ...clear }, checks.rules, gone.signal);
  };
  try {
    await checks.lanes.run(identity.loginName, ask);
    return jsonAnswer({ message: OK });
  } catch (failure) {
    if (failure instanceof Refusal) throw failure;
    return failed([failure instanceof Error ? failure.message : String(failure)]);
  } finally {
    stopWatching();
  }
}

/** Its stored secrets may be used to log in; a pipeline of another group is none of the caller's. */
function storedOwner<K extends KindName>(
  { kind, groupOf }: Owner<K>,
  { config }: ResourceParts,
  body: JsonObject,
): EntityNamed<K> | undefined {
  const stored = config.of(kind.name).find(textIn(body, kind.id))?.value;
  const group = stored && groupOf?.(stored);
  const isTheirs = group === undefined || group.toLowerCase() === textIn(body, 'group').toLowerCase();
  return isTheirs ? stored : undefined;
}

/** With the parameters of its pipeline replaced. */
function resolvedMaterial({ written, pipeline }: OwnedMaterial, { tools }: RepositoryChecks): OwnedMaterial {
  if (pipeline === undefined) return { written };
  const resolved = tools.resolved(pipeline);
  return { written: resolved.materials[0] ?? written, pipeline: resolved };
}

function attributeProblems({ type, attributes }: WrittenMaterial, at: Path): Problem[] {
  const definition = findRepositoryDefinition(type);
  const path = [...at, 'attributes'];
  return definition?.problems(attributes, (holds, key, message) => problemUnless(holds, [...path, key], message), '#') ?? [];
}

function textIn(body: JsonObject, name: string): string {
  const value = isObject(body) ? body[name] : undefined;
  return typeof value === 'string' ? value : '';
}
