// Notification filters: each user's own, only with a mail server, and no two that say the same.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { atOnce, statusesOf, times } from '../../support/requests/at-once.ts';
import { accepted, addUser, startServer } from '../../support/requests/callers.ts';
import { failed } from '../../support/requests/replies.ts';
import type { TestServer } from '../../support/server/server.ts';

const PATH = '/api/notification_filters';
const MAIL_SERVER = '/api/config/mailserver';
const NO_SMTP = 'SMTP settings are currently not configured. Ask your administrator to configure SMTP settings.';
const FILTER = { pipeline: '[Any Pipeline]', stage: 'build', event: 'Fails', match_commits: true };

let server: TestServer;
let jez: string;
let kim: string;
before(async () => {
  server = await startServer();
  [jez, kim] = [await addUser(server, 'jez'), await addUser(server, 'kim')];
});
after(() => server.stop());
beforeEach(async () => {
  const mailServer = { hostname: 'smtp.example.org', port: 25, sender_email: 'a@example.org', admin_email: 'b@example.org' };
  accepted(await server.put(MAIL_SERVER, mailServer, '*'));
  for (const as of [jez, kim]) for (const { id } of await listed(as)) accepted(await server.delete(`${PATH}/${id}`, { as }));
});

const listed = async (as: string): Promise<{ id: number; stage: string }[]> =>
  accepted(await server.get(PATH, { as })).json._embedded.filters;
const post = (filter: object, as = jez) => server.post(PATH, filter, { as });
const patch = (id: unknown, filter: object, as = jez) => server.patch(`${PATH}/${id}`, filter, { as });
const create = async (more: object = {}, as = jez): Promise<number> => accepted(await post({ ...FILTER, ...more }, as)).json.id;

describe('a filter', () => {
  test('is created, shown, listed by id, replaced and deleted', async () => {
    const created = accepted(await post(FILTER));
    const { id } = created.json;
    assert.deepEqual(created.json, {
      _links: {
        self: { href: `${server.url}${PATH}/${id}` },
        doc: { href: `${server.url}/api/docs#notification-filters` },
        find: { href: `${server.url}${PATH}/:id` },
      },
      id,
      ...FILTER,
    });
    assert.ok(Number.isInteger(id));
    const shown = accepted(await server.get(`${PATH}/${id}`, { as: jez }));
    assert.deepEqual([shown.json, shown.etag], [created.json, created.etag]);
    const second = await create({ event: 'Fixed' });
    const list = accepted(await server.get(PATH, { as: jez }));
    assert.deepEqual(Object.keys(list.json._links), ['self', 'doc']);
    assert.deepEqual(list.json._embedded.filters[0], created.json);
    assert.deepEqual(
      list.json._embedded.filters.map((filter: { id: number }) => filter.id),
      [id, second],
    );
    const replaced = accepted(await patch(id, { pipeline: '[any pipeline]', stage: 'test', event: 'cancelled' }));
    const { _links, ...content } = replaced.json;
    assert.deepEqual(content, { id, pipeline: '[Any Pipeline]', stage: 'test', event: 'Cancelled', match_commits: false });
    assert.notEqual(replaced.etag, created.etag);
    const deleted = accepted(await server.delete(`${PATH}/${id}`, { as: jez }));
    assert.deepEqual(deleted.json, { message: 'Notification filter is successfully deleted!' });
    assert.equal((await server.get(`${PATH}/${id}`, { as: jez })).status, 404);
  });

  test('takes every event, trimmed and in any case, and gives it back in its own', async () => {
    for (const event of ['Fails', 'Passes', 'Breaks', 'Fixed', 'Cancelled', 'All']) {
      const { json } = accepted(await post({ ...FILTER, stage: event, event: ` ${event.toUpperCase()} ` }));
      assert.equal(json.event, event);
    }
    failed(
      await post({ ...FILTER, event: 'Explodes' }),
      422,
      "Your request could not be processed. Invalid event 'Explodes'. It has to be one of [Fails, Passes, Breaks, Fixed, Cancelled, All].",
    );
  });

  test('needs event, pipeline and stage, asked for in this order, when created and when replaced', async () => {
    const id = await create();
    for (const send of [post, (filter: object) => patch(id, filter)]) {
      failed(await send({}), 422, "Json `{}` does not contain property 'event'");
      failed(await send({ event: 'All' }), 422, 'Json `{"event":"All"}` does not contain property \'pipeline\'');
      failed(await send({ event: 'All', pipeline: 'p' }), 422, 'Json `{"event":"All","pipeline":"p"}` does not contain property \'stage\'');
      assert.equal((await send({ ...FILTER, pipeline: ['p'] })).status, 422);
    }
    assert.equal((await listed(jez)).length, 1);
  });

  test('has all errors in one answer', async () => {
    const invalidEvent =
      "Your request could not be processed. Invalid event 'Explodes'. It has to be one of [Fails, Passes, Breaks, Fixed, Cancelled, All].";
    const lacking = (name: string) => `Json \`{"event":"Explodes"}\` does not contain property '${name}'`;
    const { json } = failed(await post({ event: 'Explodes' }), 422, invalidEvent);
    assert.deepEqual(json, {
      message: invalidEvent,
      pipeline: '',
      stage: '',
      event: 'Explodes',
      match_commits: false,
      errors: { event: [invalidEvent], pipeline: [lacking('pipeline')], stage: [lacking('stage')] },
    });
    const long = failed(await post({ ...FILTER, event: 'Explodes', pipeline: '', stage: 'x'.repeat(256) }), 422, invalidEvent);
    assert.deepEqual(Object.keys(long.json.errors), ['event', 'pipeline_name', 'stage_name']);
    const unknown = failed(await post({ event: 'Explodes', pipeline: 'ghost', stage: [] }), 422, invalidEvent);
    assert.deepEqual(Object.keys(unknown.json.errors), ['event', 'stage', 'pipeline_name']);
  });

  test('needs names of some length', async () => {
    for (const names of [{ pipeline: '' }, { stage: ' ' }, { pipeline: 'x'.repeat(256) }]) {
      assert.equal((await post({ ...FILTER, ...names })).status, 422);
    }
  });

  test('survives a restart', async () => {
    const id = await create();
    await server.restart();
    assert.equal((await listed(jez))[0]!.id, id);
  });

  test('a dry run creates, replaces and deletes nothing', async () => {
    const id = await create();
    const { text } = await server.get(PATH, { as: jez });
    accepted(await server.post(`${PATH}?dry_run=true`, { ...FILTER, event: 'All' }, { as: jez }));
    accepted(await server.patch(`${PATH}/${id}?dry_run=true`, { ...FILTER, event: 'All' }, { as: jez }));
    accepted(await server.delete(`${PATH}/${id}?dry_run=true`, { as: jez }));
    assert.equal((await server.get(PATH, { as: jez })).text, text);
  });
});

describe('If-Match', () => {
  const STALE = 'Someone has modified the entity. Please update your copy with the changes and try again.';

  test('counts where it is sent', async () => {
    const { json, etag } = accepted(await post(FILTER));
    const path = `${PATH}/${json.id}`;
    const sending = (ifMatch: string) => ({ as: jez, headers: { 'If-Match': ifMatch } });
    failed(await server.patch(path, { ...FILTER, event: 'All' }, sending('"older"')), 412, STALE);
    failed(await server.delete(path, sending('"older"')), 412, STALE);
    const changed = accepted(await server.patch(path, { ...FILTER, event: 'All' }, sending(etag!)));
    failed(await server.delete(path, sending(etag!)), 412, STALE);
    assert.equal(accepted(await server.delete(path, sending(changed.etag!))).etag, changed.etag);
  });
});

describe('a filter that is not there', () => {
  test('gets 404 from all but one of many deletions at the same moment', async () => {
    const id = await create();
    const replies = await atOnce(server, ...times(4, () => server.delete(`${PATH}/${id}`, { as: jez })));
    assert.deepEqual(statusesOf(replies), [200, 404, 404, 404]);
  });

  const asks = (id: unknown, as: string) => [
    server.get(`${PATH}/${id}`, { as }),
    patch(id, FILTER, as),
    server.delete(`${PATH}/${id}`, { as }),
  ];

  test('is not found by any operation', async () => {
    for (const ask of asks(9999, jez)) failed(await ask, 404, "Notification filter with id '9999' was not found!");
  });

  test('a filter of another user gets 404, too, and stays untouched', async () => {
    const id = await create({}, kim);
    for (const ask of asks(id, jez)) failed(await ask, 404, `Notification filter with id '${id}' was not found!`);
    assert.deepEqual(await listed(jez), []);
    assert.equal((await listed(kim)).length, 1);
    const asAdmin = await server.get(`${PATH}/${id}`);
    failed(asAdmin, 404, `Notification filter with id '${id}' was not found!`);
  });

  test('a filter is addressed by a number', async () => {
    for (const id of ['abc', '1.5', '1e3', '0x1']) {
      for (const ask of asks(id, jez)) failed(await ask, 400, 'The notification id should be an integer.');
    }
  });

  test('gets 404 only after the new content was found valid', async () => {
    assert.equal((await patch(9999, { ...FILTER, event: 'Explodes' })).status, 422);
    failed(await patch(9999, {}), 422, "Json `{}` does not contain property 'event'");
  });
});

describe('duplicates', () => {
  const message = (event: string) =>
    `Duplicate notification filter found for: {pipeline: "[Any Pipeline]", stage: "build", event: "${event}"}`;

  test('a filter for an event twice is refused with the filter itself, not with a wrapper', async () => {
    await create();
    const { json } = failed(await post({ ...FILTER, match_commits: false }), 422, message('Fails'));
    assert.deepEqual(json.errors, { pipeline_name: [message('Fails')] });
    assert.deepEqual([json.pipeline, json.stage, json.event, json.match_commits], ['[Any Pipeline]', 'build', 'Fails', false]);
    assert.ok(!('id' in json) && !('data' in json) && json._links?.self === undefined);
  });

  test('a filter for all events leaves room for no other, but may follow filters for single events', async () => {
    await create();
    await create({ event: 'All' });
    for (const event of ['Passes', 'All']) failed(await post({ ...FILTER, event }), 422, message('All'));
  });

  test('filters for other stages or users are no duplicates; the word for any pipeline has any letter case', async () => {
    await create({ event: 'All' });
    await create({ stage: 'Build' });
    await create({}, kim);
    failed(await post({ ...FILTER, pipeline: '[any pipeline]' }), 422, message('All'));
  });

  test('a filter is no duplicate of itself, but of the others', async () => {
    const fails = await create();
    const passes = await create({ event: 'Passes' });
    accepted(await patch(fails, FILTER));
    const { json } = failed(await patch(passes, FILTER), 422, message('Fails'));
    assert.deepEqual(json.errors, { pipeline_name: [message('Fails')] });
    assert.equal((await server.get(`${PATH}/${passes}`, { as: jez })).json.event, 'Passes');
  });

  test('only one of many equal filters sent at the same moment is added', async () => {
    const replies = await atOnce(server, ...times(5, () => post(FILTER)));
    assert.deepEqual(statusesOf(replies), [200, 422, 422, 422, 422]);
    assert.equal((await listed(jez)).length, 1);
  });

  test('only one of many changes to the same values at the same moment succeeds', async () => {
    const ids: number[] = [];
    for (const event of ['Fails', 'Passes', 'Breaks']) ids.push(await create({ event }));
    const replies = await atOnce(server, ...times(3, (index) => patch(ids[index], { ...FILTER, event: 'Fixed' })));
    assert.deepEqual(statusesOf(replies), [200, 422, 422]);
  });
});

describe('notification filters without a mail server', () => {
  test('every operation is refused, for every user and every filter', async () => {
    const id = await create();
    accepted(await server.delete(MAIL_SERVER));
    for (const as of [jez, undefined]) {
      const who = as === undefined ? {} : { as };
      for (const reply of [
        await server.get(PATH, who),
        await server.get(`${PATH}/${id}`, who),
        await server.get(`${PATH}/abc`, who),
        await server.post(PATH, FILTER, who),
        await server.post(PATH, {}, who),
        await server.patch(`${PATH}/${id}`, FILTER, who),
        await server.delete(`${PATH}/${id}`, who),
        await server.delete(`${PATH}/9999`, who),
      ]) {
        failed(reply, 400, NO_SMTP);
      }
    }
    assert.equal((await server.get(PATH, { as: '' })).status, 401);
  });

  test('a body is not even looked at, but its type is', async () => {
    accepted(await server.delete(MAIL_SERVER));
    assert.equal((await server.ask('POST', PATH, { as: jez, text: '{}', headers: { 'Content-Type': 'text/plain' } })).status, 415);
    failed(await server.ask('POST', PATH, { as: jez, text: '{' }), 400, NO_SMTP);
  });
});

describe('pipelines and stages', () => {
  before(async () => {
    const job = { name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] };
    const pipeline = {
      name: 'up42',
      materials: [{ type: 'git', attributes: { url: 'https://scm.example.org/up42.git' } }],
      stages: ['Build', 'Deploy'].map((name) => ({ name, jobs: [job] })),
    };
    accepted(await server.post('/api/admin/pipelines', { group: 'shop', pipeline }));
  });

  test('existing pipelines and stages are found in any letter case, regardless of view rights', async () => {
    for (const [pipeline, stage, ...kept] of [
      ['up42', 'Build', 'up42', 'Build'],
      ['UP42', 'dEPLOY', 'UP42', 'dEPLOY'],
      ['Up42', '[ANY stage]', 'Up42', '[Any Stage]'],
      ['[any PIPELINE]', 'no such stage', '[Any Pipeline]', 'no such stage'],
    ]) {
      const { json } = accepted(await post({ pipeline, stage, event: 'All' }));
      assert.deepEqual([json.pipeline, json.stage], kept);
    }
  });

  test('missing pipelines and stages are named under keys of their own, on creation and on replacement', async () => {
    const id = await create();
    for (const send of [post, (filter: object) => patch(id, filter)]) {
      const pipeline = await send({ pipeline: 'ghost', stage: '[Any Stage]', event: 'All' });
      assert.equal(pipeline.status, 422, pipeline.text);
      assert.deepEqual(pipeline.json.errors, { pipeline_name: ["Pipeline with name 'ghost' was not found!"] });
      assert.deepEqual([pipeline.json.pipeline, pipeline.json.stage, pipeline.json.event], ['ghost', '[Any Stage]', 'All']);
      const stage = await send({ pipeline: 'UP42', stage: 'spook', event: 'All' });
      assert.equal(stage.status, 422, stage.text);
      assert.deepEqual(stage.json.errors, { stage_name: ["Stage 'spook' not found in pipeline 'UP42'!"] });
    }
  });

  test('a filter outlives its pipeline', async () => {
    await create({ pipeline: 'up42', stage: 'Build' });
    accepted(await server.delete('/api/admin/pipelines/up42'));
    assert.equal((await listed(jez)).length, 1);
  });
});
