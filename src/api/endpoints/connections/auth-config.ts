// Tries out an authorization configuration before, or after, it is saved.

import { Draft } from '../../../config/draft.ts';
import type { ConnectionResult } from '../../../contracts/plugins/authorization.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import { describeFields } from '../../../shape/field.ts';
import { writeEntity } from '../../../shape/json/entity-json.ts';
import { scalarText } from '../../../shape/json/json.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { annotate, withoutDerivedProblems } from '../../../shape/problems/problem.ts';
import type { Kind } from '../../../shape/resource.ts';
import { exampleOf, exampleSecrets } from '../../engine/answer-example.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { requestSchema } from '../../engine/resource-schemas.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { readBodyAs } from '../../engine/verbs/read-body.ts';
import { NOT_TRIED } from './check.ts';

const SUCCESS = 'success';
const WORKS = 'Connection ok';

/** Asks the plugin; undefined when it is not installed. */
export type AskPlugin = (source: EntityNamed<'authConfigs'>) => Promise<ConnectionResult> | undefined;

export function verifyConnectionRoute(kind: Kind<'authConfigs'>, parts: ResourceParts, ask: AskPlugin): Route {
  return {
    method: 'POST',
    path: '/api/admin/internal/security/auth_configs/verify_connection',
    version: kind.version,
    permission: 'admin',
    description: {
      chapter: kind.doc,
      summary: 'Try out an authorization configuration without saving it',
      request: { schema: () => requestSchema(kind), example: kind.example },
      response: objectSchema({
        status: { const: SUCCESS },
        message: described(TEXT, 'The result in words.'),
        auth_config: described(describeFields(kind.fields).response, 'What was checked.'),
      }),
      example: () => ({ status: SUCCESS, message: WORKS, auth_config: writeEntity(kind, exampleOf(kind, parts), exampleSecrets) }),
      changes: 'nothing',
      failures: { 422: { when: 'The connection does not work, or something in the body is wrong; `message` says which.' } },
    },
    handle: async ({ body, isDryRun }) => {
      const current = parts.config.of(kind.name).find(scalarText(body.id));
      const { entity, problems: found } = await readBodyAs(kind, body, parts, current?.value);
      const { ruleView } = new Draft(parts.config);
      const problems = [...found, ...(kind.rules ?? []).flatMap((rule) => rule(entity, ruleView, current ? 'update' : 'create'))];
      const answer = (status: string, message: string) =>
        jsonAnswer(
          { status, message, auth_config: annotate(writeEntity(kind, entity, parts.config.secrets), withoutDerivedProblems(problems)) },
          { status: status === SUCCESS ? 200 : 422 },
        );
      if (problems.length > 0) return answer('validation-failed', 'Validation failed for the given Auth Config');
      if (isDryRun) return answer(SUCCESS, NOT_TRIED);
      const result = await ask(entity);
      if (!result) return answer('failure', `Unable to verify connection, missing plugin: ${entity.pluginId}`);
      return result.ok ? answer(SUCCESS, WORKS) : answer('failure', result.reason);
    },
  };
}
