// A list of pipelines by name; in answers each carries links to the pipeline itself.
import { describedBy } from '../../shape/described.ts';
import type { Field } from '../../shape/field.ts';
import type { JsonOut, JsonSchema } from '../../shape/json/json.ts';
import { cursorsIn, readList, readNeeded, readText } from '../../shape/json/reading.ts';
import { LINKS, objectSchema, TEXT } from '../../shape/json/schemas.ts';
import { linksTo } from './link-to.ts';

const name = { ...TEXT, ...describedBy({ refersTo: 'pipelines', description: 'The name of the pipeline.' }) };
const item = objectSchema({ name });
const linkedItem = objectSchema({ _links: LINKS, name });
const listOf = (items: JsonSchema) => ({ type: 'array', items, description: 'Pipelines by name.' });

export function pipelineNames(): Field<readonly string[]> {
  return {
    read: (cursor, name) =>
      cursorsIn(readList(cursor, name) ?? [], [...cursor.path, name], cursor.reading).map(
        (inner) => readNeeded(inner, 'name', readText) ?? '',
      ),
    write: (pipelines, name, out, { base }) => {
      out[name] = pipelines.map(
        (pipeline): JsonOut => ({ ...linksTo(base, '/api/admin/pipelines', pipeline, 'pipeline-config', 'pipeline_name'), name: pipeline }),
      );
    },
    describe: (name) => ({ request: { [name]: listOf(item) }, response: { [name]: listOf(linkedItem) } }),
  };
}
