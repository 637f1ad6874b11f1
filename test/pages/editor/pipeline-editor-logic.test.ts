// Lenses on the edited value, problems beside fields, places in the tree, copies without secrets, and timers in words.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { effect, signal } from '@preact/signals';
import { withoutSecrets } from '../../../pages/admin-pipelines/without-secrets.ts';
import type { JsonObject } from '../../../pages/api/json.ts';
import { pathText, registerLabel } from '../../../pages/forms/edit/labels.ts';
import { item, lensOf, member, move, remove } from '../../../pages/forms/edit/lens.ts';
import { suggestedTexts, unknownUsersText } from '../../../pages/forms/edit/members.ts';
import { allProblems, problemsAt } from '../../../pages/forms/edit/problems.ts';
import { ServerProblems } from '../../../pages/forms/edit/server-problems.ts';
import { materialTitle, withType } from '../../../pages/forms/materials/material.ts';
import { cronAdvice } from '../../../pages/kit/cron/cron-advice.ts';
import { describeCron } from '../../../pages/kit/cron/describe-cron.ts';
import { nextTimes } from '../../../pages/kit/cron/next-times.ts';
import { parseCron } from '../../../pages/kit/cron/parse-cron.ts';
import { choiceAt, nameFor } from '../../../pages/new-pipeline/pipeline-choices.ts';
import { namedPart, parentPartKey, partKeyAfterMove } from '../../../pages/pipeline-editor/part-key.ts';
import { storeOfFetched } from '../../../pages/pipeline-editor/parts/store-of-fetched.ts';
import { newJob, newStage, taskTitle, unusedName } from '../../../pages/pipeline-editor/pipeline.ts';

describe('a lens', () => {
  it('changes its own part of the value and leaves the other parts', () => {
    const body = signal<{ readonly jobs: readonly { readonly name: string }[] }>({ jobs: [{ name: 'one' }, { name: 'two' }] });
    const jobs = member(lensOf(body), 'jobs');
    const values: string[] = [];
    effect(() => void values.push(item(jobs, 1).now.value.name));
    member(item(jobs, 0), 'name').set('first');
    assert.deepEqual(body.value.jobs, [{ name: 'first' }, { name: 'two' }]);
    assert.deepEqual(values, ['two']);
    assert.deepEqual(member(item(jobs, 0), 'name').path, ['jobs', 0, 'name']);
  });

  it('a lens on a list moves and removes items, never beyond its ends', () => {
    const list = lensOf(signal<readonly string[]>(['a', 'b', 'c']));
    const last = item(list, 2);
    move(list, 0, 2);
    move(list, 0, -1);
    move(list, 0, 3);
    assert.deepEqual(list.now.value, ['b', 'c', 'a']);
    assert.equal(last.now.value, 'a');
    remove(list, 2);
    assert.equal(last.now.value, 'a');
    last.set('gone');
    assert.deepEqual(list.now.value, ['b', 'c']);
  });
});

it('problems stand beside their fields', () => {
  const found = allProblems({
    plugin_id: 'x',
    errors: { pluginId: ['No such plugin.'] },
    stages: [{ name: '', errors: { name: ['Blank.', 'Bad.'] } }],
  });
  assert.deepEqual(problemsAt(found, ['plugin_id']), ['No such plugin.']);
  assert.deepEqual(problemsAt(found, ['stages', 0, 'name']), ['Blank.', 'Bad.']);
  assert.deepEqual(problemsAt(found, ['stages', 1, 'name']), []);
  assert.deepEqual(
    found.map(({ path }) => path.join('.')),
    ['pluginId', 'stages.0.name'],
  );
});

describe('problems', () => {
  const edited = signal({ name: 'a b', stages: [{ name: '', jobs: [] }], plugin_id: 'x' });
  const problems = new ServerProblems(edited);
  const refusal = (data: JsonObject | undefined) => problems.take({ message: 'Refused.', data });
  const paths = () => problems.all.value.map(({ path }) => path.join('.'));

  it('go only when the value that they are about is changed', () => {
    refusal({ errors: { name: ['Bad.'], pluginId: ['None.'] }, stages: [{ errors: { name: ['Blank.'], jobs: ['None.'] } }] });
    assert.deepEqual(paths(), ['name', 'pluginId', 'stages.0.name', 'stages.0.jobs']);
    edited.value = { ...edited.value, plugin_id: 'y' };
    assert.deepEqual(paths(), ['name', 'stages.0.name', 'stages.0.jobs']);
    edited.value = { ...edited.value, stages: [{ ...edited.value.stages[0]!, name: 'build' }] };
    assert.deepEqual(paths(), ['name', 'stages.0.jobs']);
    problems.clear();
    assert.deepEqual(paths(), []);
  });

  it('problems of the whole form go with the first change', () => {
    refusal(undefined);
    assert.deepEqual(problems.all.value, [{ path: [''], messages: ['Refused.'] }]);
    edited.value = { ...edited.value, name: 'other' };
    assert.deepEqual(paths(), []);
  });

  it('are named by the labels of fields', () => {
    registerLabel(['stages', 0, 'jobs', 4, 'run_instance_count'], 'How many agents run it');
    assert.equal(pathText(['stages', 1, 'jobs', 0, 'run_instance_count']), 'Stage 2 › Job 1 › How many agents run it');
    registerLabel(['artifacts', 0, 'configuration', 0, 'value'], 'Source');
    registerLabel(['artifacts', 0, 'configuration', 1, 'value'], 'Destination');
    assert.equal(pathText(['artifacts', 0, 'configuration', 0, 'value']), 'Artifact 1 › Source');
    assert.equal(pathText(['timer', 'nobody_drew_it']), 'Nobody drew it');
    assert.equal(pathText(['']), '');
  });

  it('problems of a first pipeline stand at the field of the form', () => {
    assert.deepEqual(choiceAt(['materials', 0, 'attributes', 'url']), ['material', 'attributes', 'url']);
    assert.deepEqual(choiceAt(['stages', 0, 'jobs', 0, 'name']), ['job']);
    assert.deepEqual(choiceAt(['name']), ['name']);
  });
});

it('the store of a fetched artifact is that of the job that publishes it', () => {
  const artifact = { type: 'external', artifact_id: 'app', store_id: 'bucket' };
  const stages = [{ ...newStage('build'), jobs: [{ ...newJob('pack'), artifacts: [artifact] }] }];
  const store = (job: string, id: string) => storeOfFetched(stages, { stage: 'Build', job, artifact_id: id });
  assert.deepEqual([store('PACK', 'app'), store('pack', 'other'), store('none', 'app')], ['bucket', undefined, undefined]);
});

it('the chosen part stays chosen', () => {
  assert.equal(partKeyAfterMove('stages.0.jobs.1', ['stages'], 0, 2), 'stages.2.jobs.1');
  assert.equal(partKeyAfterMove('stages.1', ['stages'], 0, 2), 'stages.0');
  assert.equal(partKeyAfterMove('stages.1', ['stages'], 2, 0), 'stages.2');
  assert.equal(partKeyAfterMove('general', ['stages'], 2, 0), 'general');
  assert.equal(parentPartKey('stages.1.jobs.0'), 'stages.1');
  assert.equal(parentPartKey('materials.1'), 'general');
});

it('materials, pipelines and tasks get names that people know', () => {
  assert.equal(materialTitle({ type: 'git', attributes: { url: 'https://scm.example.org/shop/web.git' } }), 'shop/web');
  assert.equal(materialTitle(withType({ type: 'git', attributes: { url: 'x' } }, 'dependency')), 'another pipeline');
  assert.equal(nameFor({ type: 'git', attributes: { url: 'git@scm.example.org:shop/my web.git' } }), 'my-web');
  assert.equal(taskTitle({ type: 'exec', attributes: { command: 'make', arguments: ['all'] } }), 'make all');
  assert.equal(unusedName(['job', 'Job-2'], 'job'), 'job-3');
});

it('a material of another type keeps the URL and whether it is polled; a new one is polled', () => {
  assert.deepEqual(withType({ type: 'git', attributes: {} }, 'git').attributes, { url: '', branch: 'main', auto_update: true });
  const unpolled = { type: 'git', attributes: { url: 'x', branch: 'main', auto_update: false } };
  assert.deepEqual(withType(unpolled, 'svn').attributes, { url: 'x', auto_update: false });
  assert.deepEqual(withType(unpolled, 'package').attributes, { ref: '' });
});

describe('a copy of a pipeline', () => {
  const secret = { name: 'TOKEN', secure: true, encrypted_value: 'v2:x' };
  const emptied = { name: 'TOKEN', secure: true, value: '' };
  const material = (attributes: JsonObject): JsonObject => ({ materials: [{ type: 'git', attributes }] });
  const artifact = (setting: JsonObject): JsonObject => ({ artifacts: [{ type: 'external', configuration: [setting] }] });
  const cases: readonly (readonly [JsonObject, JsonObject, string?])[] = [
    [{ environment_variables: [secret] }, { environment_variables: [emptied] }, 'Environment variable TOKEN'],
    [
      { stages: [{ name: 'test', jobs: [{ name: 'unit', environment_variables: [secret] }] }] },
      { stages: [{ name: 'test', jobs: [{ name: 'unit', environment_variables: [emptied] }] }] },
      'Stage test › Job unit › Environment variable TOKEN',
    ],
    [artifact({ key: 'Key', encrypted_value: 'v2:x' }), artifact({ key: 'Key' }), 'Artifact 1 › Setting Key'],
    [
      material({ url: 'https://a.example/b', encrypted_password: 'v2:x' }),
      material({ url: 'https://a.example/b' }),
      'Material 1 › Password',
    ],
    [material({ url: 'https://me:******@a.example/b' }), material({ url: 'https://a.example/b' }), 'Material 1 › Login in the URL'],
    [material({ url: 'https://******@a.example/b' }), material({ url: 'https://a.example/b' }), 'Material 1 › Login in the URL'],
    [material({ url: 'ssh://git:******@a.example/b' }), material({ url: 'ssh://git@a.example/b' }), 'Material 1 › Login in the URL'],
    [material({ url: 'me:******@a.example/b' }), material({ url: 'a.example/b' }), 'Material 1 › Login in the URL'],
    [material({ url: 'ssh://git@a.example/b', username: null }), material({ url: 'ssh://git@a.example/b', username: null })],
    [
      { environment_variables: [{ name: 'A', secure: false, value: 'b' }] },
      { environment_variables: [{ name: 'A', secure: false, value: 'b' }] },
    ],
  ];
  for (const [original, body, leftOut] of cases)
    it(`${JSON.stringify(original)} lacks ${leftOut ?? 'nothing'}`, () =>
      assert.deepEqual(withoutSecrets(original), { body, leftOut: leftOut === undefined ? [] : [leftOut] }));
});

describe('a timer', () => {
  for (const [expression, text] of [
    ['0 0 22 ? * MON-FRI', 'at 22:00, Monday to Friday'],
    ['0 0/15 * * * ?', 'every 15 minutes, every day'],
    ['0 30 6,18 1 JAN,JUL ?', 'at 06:30 and 18:30, on the 1st of the month, in January and July'],
    ['0 0 8 L * ?', 'at 08:00, on the last day of the month'],
    ['0 0 8 ? * 6#3', 'at 08:00, on the third Friday of the month'],
    ['0 0 8 ? * 6L 2030', 'at 08:00, on the last Friday of the month, in 2030'],
    ['0 * 8-18 ? * *', 'every minute, in the hours 08:00 to 18:00, every day'],
  ] as const)
    it(`${expression} in words`, () => assert.equal(describeCron(parseCron(expression)!), text));

  it('a timer that is not valid is refused', () => {
    for (const expression of ['', '0 0 22 * *', '0 0 22 * * *', '0 61 22 ? * MON', '0 0 22 ? * NOD', '0 0 22 ? * ?'])
      assert.equal(parseCron(expression), undefined, expression);
  });

  it('a timer in the form of crontab gets a hint how to write it here', () => {
    for (const [crontab, here] of [
      ['0 2 * * *', '0 0 2 * * ?'],
      ['30 6 1 * *', '0 30 6 1 * ?'],
      ['0 22 * * 0', '0 0 22 ? * SUN'],
      ['0 22 * * fri', '0 0 22 ? * FRI'],
    ] as const)
      assert.ok(cronAdvice(crontab).endsWith(` ${here}`), crontab);
    for (const other of ['', 'nightly', '61 2 * * *', '0 2 1 * 1', '0 2 * * 1-5']) assert.match(cronAdvice(other), /Six fields/, other);
  });

  it('goes off at the next times', () => {
    const from = Date.UTC(2026, 10, 13, 21, 59, 59);
    const times = nextTimes(parseCron('0 0 22 ? * MON-FRI')!, from, 3).map((time) => new Date(time).toISOString());
    assert.deepEqual(times, ['2026-11-13T22:00:00.000Z', '2026-11-16T22:00:00.000Z', '2026-11-17T22:00:00.000Z']);
    assert.deepEqual(nextTimes(parseCron('0 0 8 30 FEB ?')!, from, 5), []);
    assert.equal(nextTimes(parseCron('0 0 8 LW * ?')!, from, 1)[0], Date.UTC(2026, 10, 30, 8));
  });
});

describe('a part that an address names', () => {
  const stages = [
    { name: 'build', jobs: [{ name: 'unit' }, { name: 'lint' }] },
    { name: 'deploy', jobs: [] },
  ];

  it('is chosen where it is now', () => {
    assert.equal(namedPart({ stages }, 'build', 'lint'), 'stages.0.jobs.1');
    assert.equal(namedPart({ stages }, 'deploy', ''), 'stages.1');
  });

  it('is the stage where the job is gone, and none where the stage is', () => {
    assert.equal(namedPart({ stages }, 'deploy', 'unit'), 'stages.1');
    assert.equal(namedPart({ stages }, 'other', 'unit'), undefined);
    assert.equal(namedPart({ stages: null }, 'build', ''), undefined);
  });
});

describe('names of users', () => {
  it('are completed one by one', () => {
    const known = ['gina', 'george', 'ann'];
    assert.deepEqual(suggestedTexts('', known), known);
    assert.deepEqual(suggestedTexts('G', known), ['gina', 'george']);
    assert.deepEqual(suggestedTexts('Gina, g', known), ['Gina, george']);
    assert.deepEqual(suggestedTexts('gina,', known), ['gina, george', 'gina, ann']);
  });

  it('names of users of which the server knows nothing are named', () => {
    assert.equal(unknownUsersText(['Gina'], ['gina']), undefined);
    assert.equal(unknownUsersText(['gnia', 'gina', 'bo'], ['gina']), 'No user of this name has signed in yet: gnia, bo.');
  });
});
