// Materials of a real configuration, which is changed by JSON as the API takes it.
import assert from 'node:assert/strict';
import type { KindName } from '../../../src/shape/configuration.ts';
import { readEntity } from '../../../src/shape/json/entity-json.ts';
import type { JsonObject } from '../../../src/shape/json/json.ts';
import { idOf } from '../../../src/shape/resource.ts';
import type { TestConfiguration } from '../../support/configuration/configuration.ts';

const AUTHOR = { actor: 'test', token: null, address: null, reason: null };

/** One of a kind by its id; null takes it away. */
export type JsonEdit = readonly [kind: KindName, id: string, json: JsonObject | null];

/** All of them in one revision. */
export async function changeIn({ config, changes, parts }: TestConfiguration, edits: readonly JsonEdit[]): Promise<void> {
  await changes.apply(AUTHOR, (draft) => {
    for (const [name, id, json] of edits) {
      const kind = config.collection(name);
      if (json === null) {
        draft.remove(kind, id);
        continue;
      }
      const { entity, problems } = readEntity(kind, json, { ruleView: draft.ruleView }, parts.tools);
      assert.deepEqual(problems, []);
      draft.put(kind, idOf(kind, entity), entity);
    }
  });
}

const STAGES = [{ name: 's', jobs: [{ name: 'j', tasks: [{ type: 'ant', attributes: {} }] }] }];

export const pipelineOf = (name: string, group: string, materials: readonly JsonObject[]): JsonObject => ({
  name,
  group,
  materials,
  stages: STAGES,
});
