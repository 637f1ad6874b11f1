// The plan of a save or an import as JSON: the changes it makes, or would make.
import type { CheckedPlan } from '../../../document/save/plan.ts';
import type { JsonObject, JsonSchema } from '../../../shape/json/json.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';

const ENTITY = objectSchema({
  kind: described(TEXT, 'What it is.'),
  id: described(TEXT, 'Its id; empty if there is only one of the kind.'),
});
const named = (description: string): JsonSchema => ({ type: 'array', items: ENTITY, description });

/** Something in a configuration file, and where. */
export const MISTAKE_IN_XML = objectSchema({
  line: { type: 'integer', description: 'Line of the file, from 1.' },
  column: { type: 'integer', description: 'Column of the line, from 1.' },
  message: described(TEXT, 'What is wrong, in words.'),
});

export const IGNORED_SCHEMA: JsonSchema = {
  type: 'array',
  items: objectSchema({ what: described(TEXT, 'What it is.'), why: described(TEXT, 'Why it is not taken over.') }),
  description: 'What of the file is not taken over.',
};

export const WARNINGS_SCHEMA: JsonSchema = {
  type: 'array',
  items: MISTAKE_IN_XML,
  description: 'What is taken over although a plugin does not accept its settings.',
};

export const PLAN_SCHEMA: JsonSchema = objectSchema(
  {
    created: named('What is created.'),
    changed: named('What is changed.'),
    removed: named('What is removed.'),
    unchanged: { type: 'integer', description: 'How many stay as they are.' },
    ignored: IGNORED_SCHEMA,
    warnings: WARNINGS_SCHEMA,
    schema_version: { type: 'integer', description: 'The schema version of the file.' },
  },
  { title: 'Plan of a file' },
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
