// The plan of a save or an import as JSON: what it does, or would do.
import type { CheckedPlan } from '../../document/save/plan.ts';
import type { JsonObject, JsonSchema } from '../../shape/json.ts';
import { objectSchema, TEXT } from '../../shape/schemas.ts';

const NAMED: JsonSchema = { type: 'array', items: objectSchema({ kind: TEXT, id: TEXT }) };

export const IGNORED_SCHEMA: JsonSchema = {
  type: 'array',
  items: objectSchema({ what: TEXT, why: TEXT }),
  description: 'What of the file is not taken over.',
};

export const WARNINGS_SCHEMA: JsonSchema = {
  type: 'array',
  items: objectSchema({ line: { type: 'integer' }, column: { type: 'integer' }, message: TEXT }),
  description: 'What is taken over although a plugin does not accept its settings.',
};

export const PLAN_SCHEMA: JsonSchema = objectSchema(
  {
    created: NAMED,
    changed: NAMED,
    removed: NAMED,
    unchanged: { type: 'integer', description: 'How many stay as they are.' },
    ignored: IGNORED_SCHEMA,
    warnings: WARNINGS_SCHEMA,
    schema_version: { type: 'integer', description: 'The schema version of the file.' },
  },
  { title: 'Plan' },
);

/** A file of another server, and the plan of its import. */
export const FILE_EXAMPLE = `<?xml version="1.0" encoding="utf-8"?>
<cruise schemaVersion="127">
  <pipelines group="mobile">
    <pipeline name="app">
      <materials>
        <git url="https://git.example.com/app" />
      </materials>
      <stage name="build">
        <jobs>
          <job name="compile">
            <tasks>
              <exec command="make" />
            </tasks>
          </job>
        </jobs>
      </stage>
    </pipeline>
  </pipelines>
  <agents>
    <agent uuid="a1" hostname="agent-1" ipaddress="10.0.0.1" />
    <agent uuid="a2" hostname="agent-2" ipaddress="10.0.0.2" />
  </agents>
</cruise>
`;

export const PLAN_EXAMPLE: JsonObject = {
  created: [
    { kind: 'pipelineGroups', id: 'mobile' },
    { kind: 'pipelines', id: 'app' },
  ],
  changed: [],
  removed: [],
  unchanged: 1,
  ignored: [{ what: '2 agents', why: 'Agents register themselves and are not part of the configuration.' }],
  warnings: [],
  schema_version: 127,
};

export function planJson(
  { created, changed, removed, unchanged, ignored, warnings }: CheckedPlan,
  version: number,
): Record<string, unknown> {
  return { created, changed, removed, unchanged, ignored, warnings, schema_version: version };
}
