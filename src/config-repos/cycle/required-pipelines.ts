// The pipelines that definitions refer to, which have to exist. Pure.
import type { Body } from '../../contracts/plugins/config-repo.ts';
import { isObject, type JsonObject, scalarText } from '../../shape/json/json.ts';

interface Definition {
  readonly body: Body;
}

interface Definitions {
  readonly pipelines: readonly Definition[];
  readonly environments: readonly Definition[];
}

/** The names of the pipelines that definitions refer to, in lower case. */
export function requiredPipelines({ pipelines, environments }: Definitions): ReadonlySet<string> {
  const upstream = pipelines.flatMap(({ body }) =>
    objectsIn(body.materials).flatMap(({ type, attributes }) => (type === 'dependency' && isObject(attributes) ? attributes.pipeline : [])),
  );
  const members = environments.flatMap(({ body }) => namesIn(body.pipelines));
  return new Set([...upstream.map((name) => scalarText(name).toLowerCase()), ...members]);
}

/** The names of pipelines or variables in a list, in lower case. */
export function namesIn(list: unknown): string[] {
  return objectsIn(list).map(({ name }) => scalarText(name).toLowerCase());
}

/** The names of the SCMs that a pipeline declares, in lower case. */
export function scmNamesIn({ body }: Definition): string[] {
  const declared = objectsIn(body.materials).flatMap(({ attributes }) => (isObject(attributes) ? objectsIn([attributes.scm]) : []));
  return namesIn(declared);
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
