// The members of a desired state that the server ignores: its resources do not have them, and most are misspelt.
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { scalarText, snakeCase } from '../../../shape/json/json.ts';
import { unknownMembers } from '../../../shape/json/unknown-members.ts';
import type { Path } from '../../../shape/problems/problem.ts';
import { type Kind, resourceName } from '../../../shape/resource.ts';
import { requestSchema, responseSchema } from '../resource-schemas.ts';
import type { DesiredState } from './read-desired.ts';

/** Users do not read longer lists. */
const MAX_IGNORED = 100;

export function ignoredMembers(wanted: DesiredState['wanted']): JsonOut[] {
  const ignored: JsonOut[] = [];
  for (const { kind, entities } of wanted) {
    // Members of the answer to GET may be sent back, even those that a write ignores.
    const schemas = [requestSchema(kind), responseSchema(kind)];
    for (const entity of entities) {
      const unknown = unknownMembers(entity, schemas);
      ignored.push(
        ...unknown.slice(0, MAX_IGNORED - ignored.length).map(({ path, meant }) => ({
          what: `the member '${pathText(path)}' of ${nameOf(kind, entity)}`,
          why: `There is no such member.${meant === undefined ? '' : ` Did you mean '${meant}'?`}`,
        })),
      );
      if (ignored.length === MAX_IGNORED) return ignored;
    }
  }
  return ignored;
}

/** stages[0].jobs[1].name */
function pathText(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('')
    .slice(0, MAX_IGNORED * 2);
}

function nameOf(kind: Kind, entity: JsonObject): string {
  const id = kind.shape === 'singleton' ? '' : scalarText(entity[snakeCase(kind.addressedBy ?? kind.id)]);
  return id === '' ? resourceName(kind) : `${resourceName(kind)} '${id.slice(0, MAX_IGNORED)}'`;
}
