// Which pipelines the dashboard shows, read from the short form of the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changesBetween,
  type Filter,
  filterRows,
  itemsOf,
  NO_ENVIRONMENT,
  neighbour,
  type View,
  viewToSave,
} from '../../../pages/dashboard/filter.ts';
import {
  type DashboardRow,
  type DashboardStage,
  type RowColumns,
  type RowsAnswer,
  rowOf,
  waitingStage,
} from '../../../pages/dashboard/row.ts';
import { stageWindow } from '../../../pages/dashboard/stage-window.ts';

const ANSWER: Omit<RowsAnswer, 'rows'> = {
  token: 'a.1.b',
  full: true,
  flags: { canOperate: 1, canAdminister: 2, canPause: 4, locked: 8 },
  statuses: ['Unknown', 'Building', 'Failing', 'Passed', 'Failed', 'Cancelled'],
  texts: [null, 'services', 'tools', 'changes', 'anna', 'live'],
  stages: [
    ['build', 0, 0],
    ['deploy', 1, 1],
  ],
  base: 10_000,
  places: [[1, 5], [1], [2]],
  patterns: [
    [3, '30', 0, 1],
    [4, '4', 0],
    [3, '1', 0],
  ],
};

const ROWS: readonly RowColumns[] = [
  ['Web', 0, 5, [7, 0, 9_000]],
  ['api', 1, 8, [9, 1, 8_000, '1.9', [[0, 2, 3, 4]]], [[8, 2, 8_500, 0, [[0, 0, 0, 0, 250]]]]],
  ['batch', 2, 4, [1, 2, 7_000], 0, ['broken', 4, 9_958]],
  ['new', 2, 0],
];

const rows = ROWS.map((columns) => rowOf(columns, { ...ANSWER, rows: ROWS }));
const byName = new Map(rows.map((row) => [row.name, row]));
const NO_FILTER: Filter = { search: '', states: new Set(), view: undefined, user: 'anna' };
const found = (filter: Partial<Filter>): string[] => filterRows(rows, { ...NO_FILTER, ...filter });

describe('a row of the dashboard', () => {
  it('has names in place of numbers, and values for omitted columns', () => {
    const { runs, ...web } = byName.get('Web') as DashboardRow;
    assert.deepEqual(web, {
      name: 'Web',
      key: 'web',
      group: 'services',
      environment: 'live',
      origin: null,
      template: null,
      pause: undefined,
      isLocked: false,
      canOperate: true,
      canAdminister: false,
      canPause: true,
    });
    assert.deepEqual(runs, [
      {
        counter: 7,
        label: '7',
        triggeredBy: 'changes',
        scheduledAt: 1_000,
        stages: [
          {
            name: 'build',
            isManual: false,
            onlyOnSuccess: false,
            canOperate: true,
            status: 'Passed',
            scheduledAt: undefined,
            counter: 1,
            approvedBy: 'changes',
            cancelledBy: null,
          },
          {
            name: 'deploy',
            isManual: true,
            onlyOnSuccess: true,
            canOperate: true,
            status: 'Unknown',
            scheduledAt: undefined,
            counter: 0,
            approvedBy: 'changes',
            cancelledBy: null,
          },
        ],
      },
    ]);
    const [latest, other] = byName.get('api')!.runs.map(({ counter, label, stages: [stage] }) => ({ counter, label, ...stage }));
    assert.deepEqual([latest?.label, latest?.counter, latest?.approvedBy, latest?.cancelledBy], ['1.9', 2, 'changes', 'anna']);
    assert.deepEqual([other?.label, other?.status, other?.scheduledAt], ['8', 'Building', 1_750]);
    assert.deepEqual(byName.get('batch')?.pause, { reason: 'broken', by: 'anna', at: 42 });
    assert.deepEqual(byName.get('new')?.runs, []);
  });

  it('shows which stages the user may operate, where approvers make a difference', () => {
    const operable = (flags: number) =>
      rowOf(['Web', 0, flags, [7, 0, 9_000], 0, 0, [1]], { ...ANSWER, rows: ROWS })
        .runs[0]?.stages.filter(({ canOperate }) => canOperate)
        .map(({ name }) => name);
    assert.deepEqual([operable(5), operable(0)], [['build'], ['deploy']]);
  });
});

describe('a stage with a manual start', () => {
  const [build, deploy] = byName.get('Web')!.runs[0]!.stages as readonly [DashboardStage, DashboardStage];
  const waiting = (...stages: DashboardStage[]) => waitingStage({ ...byName.get('Web')!.runs[0]!, stages })?.name;

  it('waits once the stage before has ended, if that was good enough', () => {
    assert.equal(waiting(build, deploy), 'deploy');
    for (const status of ['Building', 'Failing', 'Failed', 'Cancelled'])
      assert.equal(waiting({ ...build, status }, deploy), undefined, status);
    for (const status of ['Failed', 'Cancelled'])
      assert.equal(waiting({ ...build, status }, { ...deploy, onlyOnSuccess: false }), 'deploy', status);
  });

  it('does not wait where another stage is before it, or where it starts by itself', () => {
    const between = { ...deploy, name: 'between', isManual: false };
    assert.equal(waiting(build, between, deploy), undefined);
    assert.equal(waiting(build, { ...deploy, status: 'Passed', counter: 1 }), undefined);
  });
});

describe('the dashboard shows', () => {
  it('the dashboard shows pipelines with all words of a search in their name or group, in any letter case', () => {
    assert.deepEqual(found({ search: 'WEB' }), ['Web']);
    assert.deepEqual(found({ search: 'serv a' }), ['api']);
    assert.deepEqual(found({ search: 'zzz' }), []);
  });

  it('the dashboard shows pipelines in one of the states', () => {
    assert.deepEqual(found({ states: new Set(['failing']) }), ['api']);
    assert.deepEqual(found({ states: new Set(['building', 'failing']) }), ['api', 'batch']);
    assert.deepEqual(found({ states: new Set(['paused']) }), ['batch']);
    assert.deepEqual(found({ states: new Set(['locked']) }), ['api']);
    assert.deepEqual(found({ states: new Set(['mine']) }), ['api']);
  });

  it('the dashboard shows pipelines that a view names, or all others', () => {
    const view: View = { name: 'mine', type: 'whitelist', pipelines: ['WEB', 'api'], state: [] };
    assert.deepEqual(found({ view }), ['Web', 'api']);
    assert.deepEqual(found({ view: { ...view, type: 'blacklist' } }), ['batch', 'new']);
    assert.deepEqual(found({ view: { ...view, state: ['failing'] } }), ['api']);
  });

  it('a view that is saved again keeps what it is, unless the choices were changed', () => {
    const of = (choices: Partial<Filter>) => viewToSave(rows, { ...NO_FILTER, ...choices });
    const failing: View = { name: 'mine', type: 'blacklist', pipelines: [], state: ['failing'] };
    assert.deepEqual(of({ states: new Set(['failing', 'mine']) }), { type: 'blacklist', pipelines: [], state: ['failing'] });
    assert.deepEqual(of({ view: failing }), { type: 'blacklist', pipelines: [], state: ['failing'] });
    assert.deepEqual(of({ view: failing, states: new Set(['failing', 'building']) }).state, ['failing']);
    assert.deepEqual(of({ view: failing, states: new Set(['building']) }).state, ['building']);
    const named = found({ search: 'web' });
    assert.ok(named.length > 0 && found({ search: 'web', view: failing }).length < named.length);
    assert.deepEqual(of({ view: failing, search: 'web' }), { type: 'whitelist', pipelines: named, state: ['failing'] });
    const without: View = { name: 'rest', type: 'blacklist', pipelines: ['gone', ...named], state: [] };
    assert.deepEqual(of({ view: without }), { type: 'blacklist', pipelines: ['gone', ...named], state: [] });
    assert.deepEqual(of({ view: without, search: 'web' }).pipelines, []);
  });

  it('pipelines stand below headings of groups or environments, and closed headings have none', () => {
    const names = rows.map(({ name }) => name);
    const text = (items: ReturnType<typeof itemsOf>) =>
      items.map((item) => (item.is === 'heading' ? `# ${item.name} ${item.members.length}` : item.name));
    assert.deepEqual(text(itemsOf(names, byName, 'group', new Set(['tools']))), ['# services 2', 'Web', 'api', '# tools 2']);
    assert.deepEqual(text(itemsOf(names, byName, 'environment', new Set())), [
      '# live 1',
      'Web',
      `# ${NO_ENVIRONMENT} 3`,
      'api',
      'batch',
      'new',
    ]);
  });

  it('headings are ordered by name, whichever pipelines are found', () => {
    const headings = (...names: string[]) =>
      itemsOf(names, byName, 'group', new Set()).flatMap((item) => (item.is === 'heading' ? [item.name] : []));
    assert.deepEqual(headings('batch', 'Web'), ['services', 'tools']);
    assert.deepEqual(headings('Web', 'batch'), ['services', 'tools']);
    const environments = itemsOf(['api', 'Web'], byName, 'environment', new Set()).flatMap(({ is, name }) =>
      is === 'heading' ? [name] : [],
    );
    assert.deepEqual(environments, ['live', NO_ENVIRONMENT]);
  });

  it('the dashboard counts how many pipelines would come and go', () => {
    assert.deepEqual(changesBetween(['a', 'b'], ['b', 'c', 'd']), { come: 2, gone: 1 });
    assert.deepEqual(changesBetween(['a'], ['a']), { come: 0, gone: 0 });
  });

  it('the pipelines after and before the chosen one are found, past headings', () => {
    const items = itemsOf([...byName.keys()], byName, 'group', new Set());
    assert.deepEqual([neighbour(items, undefined, 1), neighbour(items, undefined, -1)], ['Web', 'new']);
    assert.deepEqual([neighbour(items, 'api', 1), neighbour(items, 'batch', -1)], ['batch', 'api']);
    assert.equal(neighbour(items, 'new', 1), undefined);
    assert.equal(neighbour(items, 'gone', 1), 'Web');
  });

  it('the dashboard shows of many stages those around the first failed or running one', () => {
    const [like] = byName.get('Web')!.runs[0]!.stages;
    const stages = (...statuses: string[]) =>
      statuses.map((status, index): DashboardStage => ({ ...like!, name: String(index), status, counter: status === 'Unknown' ? 0 : 1 }));
    const windowText = (max: number, ...statuses: string[]) => {
      const { shown, before, after } = stageWindow(stages(...statuses), max);
      return `${before} ${shown.map(({ name }) => name).join('')} ${after}`;
    };
    assert.equal(windowText(3, 'Passed', 'Building'), '0 01 0');
    assert.equal(windowText(1, 'Passed', 'Passed', 'Building', 'Unknown'), '2 2 1');
    assert.equal(windowText(1, 'Passed', 'Failed', 'Building', 'Unknown'), '1 1 2');
    assert.equal(windowText(3, 'Passed', 'Passed', 'Passed', 'Passed', 'Passed'), '2 234 0');
    assert.equal(windowText(2, 'Unknown', 'Unknown', 'Unknown'), '0 01 1');
  });
});
