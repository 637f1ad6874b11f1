// Definitions of config repos cannot be reverted here.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Past } from '../../src/history/past.ts';
import { CannotRevert } from '../../src/history/revert/obstacle.ts';
import { entityAt, type RevertParts, revertEntity, revertRevision } from '../../src/history/revert/revert.ts';
import { PastEntities } from '../../src/store/revisions/past-entities.ts';
import { RevisionLog } from '../../src/store/revisions/revision-log.ts';
import { environment, pipeline, RepoLab } from '../config-repos/support.ts';

const options = { author: { actor: 'ada', token: null, address: null, reason: null }, dryRun: false };

let lab: RepoLab;
let parts: RevertParts;
beforeEach(async () => {
  lab = await RepoLab.open();
  const { config, changes, database } = lab.configuration;
  const log = new RevisionLog(database.query);
  const retention = { keptFrom: 0, isKept: async () => true };
  const past = new Past({ config, entities: new PastEntities(database.query), log, retention });
  parts = { config, changes, tools: lab.configuration.parts.tools, past, log, keptFrom: () => 0 };
  await lab.addRepo('one');
});
afterEach(() => lab.configuration.close());

const refusedFor = (message: RegExp) => (failure: unknown) => failure instanceof CannotRevert && message.test(failure.message);

test('reverting a publication of a config repo is refused with the name of the repo', async () => {
  const { config } = lab.configuration;
  await lab.publish('one', { pipelines: [pipeline('web')] });
  await lab.publish('one', { revision: '2', pipelines: [pipeline('web'), pipeline('api')] });
  await assert.rejects(revertRevision(config.revision, options, parts), refusedFor(/'api' is defined in the config repo 'one'/));
  assert.equal(lab.inForce('pipelines').length, 2);
});

test('reverting the first publication is refused with repo and file beside the group', async () => {
  const { config } = lab.configuration;
  await lab.publish('one', { pipelines: [pipeline('web', { file: 'ci/web.gocd.yaml' })] });
  await assert.rejects(
    revertRevision(config.revision, options, parts),
    refusedFor(/[Gg]roup.*'web' is defined in the config repo 'one', in the file ci\/web\.gocd\.yaml, which alone can change it/s),
  );
});

test('restoring a single definition of a config repo is refused', async () => {
  const { config } = lab.configuration;
  await lab.publish('one', { pipelines: [pipeline('web')] });
  const then = config.revision;
  await lab.publish('one', { revision: '2', pipelines: [pipeline('web', { lock_behavior: 'lockOnFailure' })] });
  const kind = config.kind('pipelines');
  const back = revertEntity(kind, await entityAt(kind, 'web', then, parts), { ...options, checkIfMatch: () => {} }, parts);
  await assert.rejects(back, refusedFor(/defined in the config repo 'one'/));
});

test('a repo that was deleted comes back without its definitions, which its next reading brings', async () => {
  const { config } = lab.configuration;
  await lab.publish('one', { pipelines: [pipeline('web')], environments: [environment('qa')] });
  await lab.remove('configRepos', 'one');
  assert.deepEqual(lab.inForce('pipelines'), []);
  const { leftOut } = await revertRevision(config.revision, options, parts);
  assert.ok(lab.value('configRepos', 'one'));
  assert.equal(lab.value('publishedRevisions', 'one'), undefined);
  assert.deepEqual(lab.inForce('pipelines'), []);
  assert.ok(leftOut.some(({ resource, id }) => resource === 'pipelines' && id === 'web'));
});
