// Tries out a package repository, a package or an SCM before, or after, it is saved.
import type { Identity } from '../../../access/identity.ts';
import type { CheckResult } from '../../../contracts/plugins/package-repository.ts';
import type { NetworkPolicy, PollTools } from '../../../contracts/plugins/poll-tools.ts';
import type { EntityNamed, KindName } from '../../../shape/configuration.ts';
import { describeFields } from '../../../shape/field.ts';
import { writeEntity } from '../../../shape/json/entity-json.ts';
import { type JsonObject, snakeCase } from '../../../shape/json/json.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { annotate, type Problem, withoutDerivedProblems } from '../../../shape/problems/problem.ts';
import type { Collection, Entity, Kind } from '../../../shape/resource.ts';
import { exampleOf, exampleSecrets } from '../../engine/answer-example.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { requestSchema } from '../../engine/resource-schemas.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { readBodyAs } from '../../engine/verbs/read-body.ts';
import { type CheckLanes, LIMITS_TEXT } from './lanes.ts';

export interface ConnectionCheck<K extends KindName> {
  readonly kind: Kind<K> & Collection;
  readonly path: string;
  readonly summary: string;
  /** The member of the answer that shows the entity that was tried. */
  readonly member: string;
  /** The text before the message of the plugin. */
  readonly works: string;
  readonly fails: string;
  readonly failsWith: 400 | 422;
  /** The message of the plugin in the example. */
  readonly exampleMessage: string;
  /** The members of the example that differ from that of the kind. */
  readonly exampleParts?: JsonObject;
  /** Asks the plugin; a text: why it cannot be asked. */
  ask(entity: EntityNamed<K>, tools: PollTools): Promise<CheckResult | string>;
}

const LIMITS = { timeoutMs: 20_000, maxBytes: 200 * 1024 * 1024 };
export const NOT_TRIED = 'The connection was not tried: this is a dry run.';

/** Finds problems in an entity before its connection is tried, beyond those that its kind finds. */
export type FindConnectionProblems = (kind: Kind, before: Entity | undefined, after: Entity, identity: Identity) => readonly Problem[];

export interface ConnectionRules {
  readonly networkPolicy: NetworkPolicy;
  readonly findProblems: FindConnectionProblems;
  readonly lanes: CheckLanes;
}

export function checkConnectionRoute<K extends KindName>(
  check: ConnectionCheck<K>,
  { networkPolicy, findProblems, lanes }: ConnectionRules,
  parts: ResourceParts,
): Route {
  const { kind, member, works, fails, failsWith, exampleParts } = check;
  const when = { 400: 'The body is not a JSON object', 422: 'Something in the body is wrong; `data` says where' };
  return {
    method: 'POST',
    path: check.path,
    version: kind.version,
    permission: kind.permission,
    description: {
      chapter: kind.doc,
      summary: check.summary,
      details: LIMITS_TEXT,
      request: { schema: () => requestSchema(kind), example: { ...kind.example, ...exampleParts } },
      response: objectSchema({
        message: described(TEXT, 'The result in words.'),
        [member]: described(describeFields(kind.fields).response, 'What was checked.'),
      }),
      example: () => ({
        message: `${works} ${check.exampleMessage}`,
        [member]: { ...writeEntity(kind, exampleOf(kind, parts), exampleSecrets), ...exampleParts },
      }),
      changes: 'nothing',
      failures: {
        400: { when: failsWith === 400 ? `${when[400]}, or the connection does not work; \`message\` says which.` : `${when[400]}.` },
        422: { when: failsWith === 422 ? `${when[422]}. Or the connection does not work.` : `${when[422]}.` },
      },
    },
    handle: async (request) => {
      const { body } = request;
      const address = snakeCase(kind.addressedBy ?? kind.id);
      const entries = parts.config.of(kind.name);
      const current = entries.find(entries.idAt(textOf(body[address])));
      const { entity, problems: found } = await readBodyAs(kind, body, parts, current?.value);
      const problems = [...found, ...findProblems(kind, current?.value, entity, request.identity)];
      const shown = writeEntity(kind, entity, parts.config.secrets);
      const failed = (status: number, reasons: readonly string[], more = {}) =>
        jsonAnswer({ message: `${fails} Reason(s): ${reasons.join('\n')}`, ...more }, { status });
      if (problems.length > 0) return failed(422, ['Validation failed.'], { data: annotate(shown, withoutDerivedProblems(problems)) });
      if (request.isDryRun) return jsonAnswer({ message: NOT_TRIED, [member]: shown });
      const result = await lanes.run(request.identity.loginName, () => runCheck(check, entity, request, networkPolicy));
      if (typeof result === 'string') return failed(422, [result]);
      if (!result.isOk) return failed(failsWith, result.messages);
      return jsonAnswer({ message: [works, result.messages.join('\n')].join(' '), [member]: shown });
    },
  };
}

/** Aborts the check when the client has gone. */
async function runCheck<K extends KindName>(
  { ask }: ConnectionCheck<K>,
  entity: EntityNamed<K>,
  request: ApiRequest,
  networkPolicy: NetworkPolicy,
): Promise<CheckResult | string> {
  const gone = new AbortController();
  const stopWatching = request.onGone(() => gone.abort());
  try {
    return await ask(entity, { signal: gone.signal, onActivity: () => {}, networkPolicy, limits: LIMITS });
  } finally {
    stopWatching();
  }
}

/** A value of another type names nothing. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
