// Retention of artifacts on a real server: usage, preview, rules, limits, and the deletion of files.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../../../src/store/database.ts';
import { GIGABYTE, RetentionLab } from '../../artifacts/retention-lab.ts';
import { smallPipeline } from '../../support/requests/bodies.ts';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const RULES = '/api/admin/config/artifact_retention';
const LIMITS = '/api/admin/config/server/artifact_config';
const PREVIEW = '/api/admin/artifacts/purge_preview';
const USAGE = '/api/admin/artifacts/usage';
const ALL = { headers: { 'If-Match': '*' } };

let server: TestServer;
let lab: RetentionLab;
before(async () => {
  let database: Database | undefined;
  const remember = (parts: { readonly database: Database }) => {
    database = parts.database;
    return [];
  };
  server = await TestServer.start({}, { routes: remember });
  lab = await RetentionLab.in(database!, join(server.dataDir, 'artifacts'));
  accepted(await server.post('/api/admin/pipelines', { group: 'shop', pipeline: smallPipeline('App') }));
  for (const counter of [1, 2, 3]) await lab.stageRun({ pipeline: 'App', counter, stage: 'build' });
  await lab.stageRun({
    pipeline: 'Gone',
    counter: 1,
    jobs: [
      ['a', 'b', 'c'],
      ['d', 'cruise-output/kept'],
    ],
  });
});
after(() => server.stop());

const put = (path: string, body: object) => server.ask('PUT', path, { body, ...ALL });
const rule = (pipelines: string, keep_runs: number | null, keep_days: number | null = null) => ({ pipelines, keep_runs, keep_days });

describe('usage', () => {
  test('the largest pipelines come first, with the total and the free disk space', async () => {
    const { json } = accepted(await server.get(USAGE));
    assert.deepEqual(json._embedded.pipelines, [
      { pipeline: 'Gone', is_configured: false, files: 5, bytes: 5 * GIGABYTE },
      { pipeline: 'App', is_configured: true, files: 3, bytes: 3 * GIGABYTE },
    ]);
    assert.deepEqual(json._embedded.total, { pipelines: 2, files: 8, bytes: 8 * GIGABYTE });
    assert.ok(json._embedded.disk_free_bytes > 0);
    assert.equal(json._links.next, undefined);
  });

  test('the usage comes a page at a time', async () => {
    const first = accepted(await server.get(`${USAGE}?page_size=1`)).json;
    assert.deepEqual(
      first._embedded.pipelines.map(({ pipeline }: { pipeline: string }) => pipeline),
      ['Gone'],
    );
    const second = accepted(await server.get(first._links.next.href.slice(server.url.length))).json;
    assert.deepEqual(
      second._embedded.pipelines.map(({ pipeline }: { pipeline: string }) => pipeline),
      ['App'],
    );
    assert.equal(second._links.next, undefined);
    assert.deepEqual(accepted(await server.get(`${USAGE}?offset=9`)).json._embedded.pipelines, []);
  });

  test('the total is among the metrics', async () => {
    const { text } = accepted(await server.get('/metrics', { accept: null }));
    assert.match(text, /^slipway_artifact_files 8$/m);
    assert.ok(text.includes(`\nslipway_artifact_bytes ${8 * GIGABYTE}\n`));
  });

  test('the ETag does not change with the free space', async () => {
    const first = await server.get(PREVIEW);
    const { etag } = await server.get(`${PREVIEW}?free_bytes=${64 * GIGABYTE}`);
    assert.equal(etag, first.etag);
    assert.equal((await server.get(USAGE, { headers: { 'If-None-Match': (await server.get(USAGE)).etag! } })).status, 304);
  });

  test('invalid parameters of the usage are refused', async () => {
    for (const query of ['page_size=0', 'page_size=1001', 'offset=-1', 'offset=x', 'sort=name']) {
      assert.equal((await server.get(`${USAGE}?${query}`)).status, 400, query);
    }
  });
});

describe('rules', () => {
  test('no rules exist at first, and rules are kept as they are sent', async () => {
    assert.deepEqual(accepted(await server.get(RULES)).json.rules, []);
    const rules = [rule('release-*', null), rule('*', 1000, 30)];
    assert.deepEqual(accepted(await put(RULES, { rules })).json.rules, rules);
    assert.deepEqual(accepted(await server.get(RULES)).json.rules, rules);
    const without = accepted(await put(RULES, { rules: [{ pipelines: 'x' }] })).json.rules;
    assert.deepEqual(without, [rule('x', null)]);
    accepted(await put(RULES, {}));
    assert.deepEqual(accepted(await server.get(RULES)).json.rules, []);
  });

  test('a change without If-Match is refused', async () => {
    assert.equal((await server.ask('PUT', RULES, { body: { rules: [] } })).status, 412);
  });

  test('the errors of a rule stand beside it', async () => {
    const rules = [rule('', 0, 0), rule('a b', 100_001, 36_501), rule('fine', 1, 1)];
    const { status, json } = await put(RULES, { rules });
    assert.equal(status, 422);
    const [empty, odd, fine] = json.data.rules;
    assert.deepEqual(empty.errors, {
      pipelines: ['A rule names the pipelines that it is for: one name, or several with `*` and `?`, such as `build-*`.'],
      keep_runs: ['This must be a number from 1 to 100000, or null.'],
      keep_days: ['This must be a number from 1 to 36500, or null.'],
    });
    assert.match(odd.errors.pipelines[0], /^No pipeline can be called 'a b'/);
    assert.deepEqual(Object.keys(odd.errors), ['pipelines', 'keep_runs', 'keep_days']);
    assert.equal(fine.errors, undefined);
    assert.equal((await put(RULES, { rules: Array.from({ length: 1001 }, () => rule('a', 1)) })).status, 422);
    assert.equal((await put(RULES, { rules: [{ pipelines: 'a', keep_runs: 'many' }] })).status, 422);
  });

  test('a fraction is refused, not rounded: what it keeps would be deleted earlier', async () => {
    const { status, json } = await put(RULES, { rules: [rule('*', 2.5, 1.5)] });
    const message = ['This must be a whole number, or null.'];
    assert.deepEqual([status, json.data.rules[0].errors], [422, { keep_runs: message, keep_days: message }]);
    assert.deepEqual(accepted(await server.get(RULES)).json.rules, []);
  });
});

describe('the preview', () => {
  test('lists the stage runs to delete, and deletes nothing', async () => {
    accepted(await put(LIMITS, { artifacts_dir: 'artifacts', purge_settings: { purge_start_disk_space: 1, purge_upto_disk_space: 3 } }));
    const { json } = accepted(await server.get(`${PREVIEW}?free_bytes=5`));
    const entry = (pipeline: string, pipeline_counter: number, files: number) => ({
      ...{ pipeline, pipeline_counter, stage: 'build', stage_counter: 1, files, bytes: files * GIGABYTE },
      ...{ by: 'space', reason: 'Less than 1 GB of disk space were free.' },
    });
    assert.deepEqual(json._embedded.stage_runs, [entry('App', 1, 1), entry('App', 2, 1), entry('App', 3, 1)]);
    const space = { free_bytes: 5, start_bytes: GIGABYTE, upto_bytes: 3 * GIGABYTE, is_low: true, is_enough: true };
    assert.deepEqual(json._embedded.space, space);
    assert.deepEqual(await lab.purgedIds(), []);
  });

  test('the preview comes page by page, until there is enough space or nothing is left', async () => {
    accepted(await put(LIMITS, { artifacts_dir: 'artifacts', purge_settings: { purge_start_disk_space: 1, purge_upto_disk_space: 99 } }));
    const found: string[] = [];
    const verdicts: (boolean | null)[] = [];
    for (let path: string | undefined = `${PREVIEW}?free_bytes=0&page_size=2`; path; ) {
      const { json }: { json: { _links: { next?: { href: string } }; _embedded: PreviewBody } } = accepted(await server.get(path));
      found.push(...json._embedded.stage_runs.map(({ pipeline, pipeline_counter }) => `${pipeline}/${pipeline_counter}`));
      verdicts.push(json._embedded.space.is_enough);
      path = json._links.next?.href.slice(server.url.length);
    }
    assert.deepEqual(found, ['App/1', 'App/2', 'App/3', 'Gone/1']);
    assert.equal(verdicts.at(-1), false);
    assert.ok(verdicts.slice(0, -1).every((verdict) => verdict === null));
  });

  test('invalid parameters of the preview are refused', async () => {
    for (const query of ['free_bytes=-1', 'free_bytes=x', 'page_size=0', 'after=yesterday', 'after=rules.1', 'free=1']) {
      assert.equal((await server.get(`${PREVIEW}?${query}`)).status, 400, query);
    }
  });
});

interface PreviewBody {
  readonly stage_runs: readonly { readonly pipeline: string; readonly pipeline_counter: number }[];
  readonly space: { readonly is_enough: boolean | null };
}

describe('the server deletes by itself', () => {
  test('the server purges by a rule, and publishes the purge as an event', async () => {
    accepted(await put(LIMITS, { artifacts_dir: 'artifacts' }));
    accepted(await put(RULES, { rules: [rule('app', 1)] }));
    await until('the purge by rule', async () => (await lab.purgedIds()).length === 2);
    assert.deepEqual(await lab.purgedIds(), [1, 2]);
    await until('the files to go', () => !lab.hasFile(2, 'job-0/a.bin', { pipeline: 'App' }));
    assert.equal(lab.hasFile(3, 'job-0/a.bin', { pipeline: 'App' }), true);
    const { json } = accepted(await server.get('/api/admin/events?type=artifacts.purged'));
    assert.deepEqual(
      json._embedded.events.map(({ actor, about, data }: Event) => ({ actor, about, data })),
      [2, 1].map((counter) => ({
        actor: null,
        about: [{ resource: 'pipelines', id: 'App' }],
        data: {
          ...{ pipeline_counter: counter, stage: 'build', stage_counter: 1, files: 1, bytes: GIGABYTE },
          reason: "By the rule for 'app': not of the last run.",
        },
      })),
    );
    const usage = accepted(await server.get(USAGE)).json._embedded.pipelines;
    assert.deepEqual(usage[1], { pipeline: 'App', is_configured: true, files: 1, bytes: GIGABYTE });
  });

  test('the server purges when the disk is low, but no artifacts to keep, and warns when nothing is left', async () => {
    const pipeline = smallPipeline('App');
    const stages = [{ name: 'build', never_cleanup_artifacts: true, jobs: [{ name: 'job-0', tasks: [{ type: 'ant', attributes: {} }] }] }];
    accepted(await server.ask('PUT', '/api/admin/pipelines/App', { body: { ...pipeline, group: 'shop', stages }, ...ALL }));
    const everything = { purge_start_disk_space: 1_000_000, purge_upto_disk_space: 1_000_001 };
    accepted(await put(LIMITS, { artifacts_dir: 'artifacts', purge_settings: everything }));
    await until('the purge by space', async () => (await lab.purgedIds()).includes(4));
    await until('the warning', () => server.log.includes('no more of them may be deleted'));
    assert.deepEqual(await lab.purgedIds(), [1, 2, 4]);
    assert.deepEqual(await lab.pathsOf(4), ['cruise-output/kept']);
    assert.equal(lab.hasFile(1, 'job-1/cruise-output/kept', { pipeline: 'Gone' }), true);
    assert.equal(lab.hasFile(1, 'job-1/d', { pipeline: 'Gone' }), false);
    assert.equal((await server.get('/api/server_health_messages')).text.includes('may be deleted'), false);
  });
});

interface Event {
  readonly actor: string | null;
  readonly about: unknown;
  readonly data: unknown;
}
