// References between entities: a named entity must exist, a used one must stay.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registry } from '../../src/resources/index.ts';
import { identifier, text, texts } from '../../src/shape/fields.ts';
import { messagesOf } from '../../src/shape/problems/messages.ts';
import { problemUnless } from '../../src/shape/problems/problem.ts';
import { collection, type EntityIn, type Lookup } from '../../src/shape/resource.ts';
import { TestServer } from '../support/server/server.ts';

declare module '../../src/shape/configuration.ts' {
  interface ConfigurationKinds {
    boxes: EntityIn<typeof boxes>;
    shelves: EntityIn<typeof shelves>;
  }
}

const common = {
  about: '',
  version: 1,
  permission: 'admin',
  links: ['self'],
  listLinks: ['self'],
  id: 'id',
  idParameter: 'id',
  needsIfMatch: true,
} as const;
const messages = (entity: string) => messagesOf({ entity, by: 'id', short: entity, tag: entity });

const shelves = collection({
  ...common,
  title: 'Shelf',
  path: '/api/admin/shelves',
  doc: 'shelf',
  listKey: 'shelves',
  fields: { id: identifier(), color: text({ description: 'Color.' }) },
  messages: messages('shelf'),
  example: { id: 's', color: 'red' },
});

const boxes = collection({
  ...common,
  title: 'Box',
  path: '/api/admin/boxes',
  doc: 'box',
  listKey: 'boxes',
  fields: { id: identifier(), shelves: texts({ description: 'Where it may stand.' }) },
  refersTo: (box) =>
    box.shelves.map((id, index) => ({ kind: 'shelves', id, at: ['shelves'], unknown: `There is no shelf '${id}' (${index}).` })),
  rules: [
    (box, view: { shelves: Lookup<{ color: string }> }) =>
      problemUnless(
        new Set(box.shelves.map((id) => view.shelves.get(id)?.color)).size < 2,
        'shelves',
        'All shelves of a box have one color.',
      ),
  ],
  messages: messages('box'),
  example: { id: 'b', shelves: [] },
});

let server: TestServer;
before(async () => {
  server = await TestServer.start({}, { registry: { ...registry, shelves, boxes } });
  for (const id of ['low', 'high', 'top']) await server.post('/api/admin/shelves', { id, color: id === 'top' ? 'blue' : 'red' });
});
after(() => server.stop());

const box = (...names: string[]) => server.put('/api/admin/boxes/box', { shelves: names }, '*');

test('a referenced entity must exist, and rules see it', async () => {
  const unknown = await server.post('/api/admin/boxes', { id: 'box', shelves: ['low', 'ghost'] });
  assert.equal(unknown.status, 422);
  assert.deepEqual(unknown.json.data.errors.shelves, ['All shelves of a box have one color.', "There is no shelf 'ghost' (1)."]);
  assert.equal((await server.post('/api/admin/boxes', { id: 'box', shelves: ['low', 'high'] })).status, 200);
  assert.deepEqual((await box('low', 'top')).json.data.errors.shelves, ['All shelves of a box have one color.']);
});

test('a used entity cannot be deleted until its last use is gone, and after a restart too', async () => {
  const refused = await server.delete('/api/admin/shelves/low');
  assert.equal(refused.status, 422);
  assert.match(refused.json.message, /is being referenced by: box\./);
  await server.restart();
  assert.equal((await server.delete('/api/admin/shelves/low')).status, 422);
  assert.equal((await box('high')).status, 200);
  assert.equal((await server.delete('/api/admin/shelves/low')).status, 200);
  assert.equal((await server.delete('/api/admin/shelves/high?dry_run=true')).status, 422);
  assert.equal((await server.delete('/api/admin/boxes/box')).status, 200);
  assert.equal((await server.delete('/api/admin/shelves/high')).status, 200);
});
