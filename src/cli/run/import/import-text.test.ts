// Tests the words in which an import is reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckedPlan } from '../../../document/save/plan.ts';
import type { KindName } from '../../../shape/configuration.ts';
import type { Paint } from '../../terminal/context.ts';
import { importText, refusalText } from './import-text.ts';

const plain: Paint = (_, text) => text;
const named = (kind: KindName, count: number) => Array.from({ length: count }, (_, index) => ({ kind, id: `${kind}-${index}` }));
const nothing = { created: [], changed: [], removed: [], unchanged: 0, ignored: [], warnings: [] };

test('a plan is reported in words', () => {
  const plan: CheckedPlan = {
    created: [{ kind: 'serverIdentity', id: '' }, ...named('authConfigs', 2), ...named('pipelines', 12)],
    changed: named('roles', 1),
    removed: [],
    unchanged: 3,
    ignored: [{ what: '2 agents', why: 'They come by themselves.' }],
    warnings: [{ line: 4, column: 1, message: "Elastic agent profile 'small', property 'Mood': Is an unknown property" }],
  };
  const names = plan.created.slice(3, 13).map(({ id }) => id);
  assert.equal(
    importText({ plan, version: 108, revision: 4 }, false, plain),
    `The file has schema version 108; it was read as version 139.
Created:
  server identity
  auth configs (2): authConfigs-0, authConfigs-1
  pipelines (12): ${names.join(', ')} and 2 more
Changed:
  roles (1): roles-0
Unchanged: 3
Ignored:
  2 agents. They come by themselves.
Taken over, although the plugin does not accept it:
  line 4: Elastic agent profile 'small', property 'Mood': Is an unknown property
Done, as revision 4.
`,
  );
});

test('an import that changes nothing is told from a plan', () => {
  assert.equal(importText({ plan: nothing, version: 139, revision: undefined }, false, plain), 'Nothing had to be changed.\n');
  assert.equal(importText({ plan: nothing, version: 139, revision: 7 }, true, plain), 'This was the plan only: nothing was changed.\n');
});

test('a refusal names each line', () => {
  const problems = [
    { line: 3, column: 1, message: 'One.' },
    { line: 9, column: 2, message: 'Two.' },
  ];
  assert.equal(
    refusalText('x.xml', problems, plain),
    'The file is refused and nothing was changed: 2 things are wrong with it.\nx.xml:3: One.\nx.xml:9: Two.\n',
  );
});
