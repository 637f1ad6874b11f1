import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type CycleEvent, type CycleState, type Effect, IDLE, isBusy, isRunning, next } from './state.ts';

const asked: CycleEvent = { type: 'asked' };
const saved: CycleEvent = { type: 'saved', isNew: false };
const added: CycleEvent = { type: 'saved', isNew: true };
const news: CycleEvent = { type: 'looked', hasNews: true };
const noNews: CycleEvent = { type: 'looked', hasNews: false };
const changed: CycleEvent = { type: 'changed', scope: 'refusals' };
const run: readonly CycleEvent[] = [{ type: 'begun' }, { type: 'read' }, { type: 'parsed' }];
const ended: CycleEvent = { type: 'ended' };
const removed: CycleEvent = { type: 'removed' };

function after(events: readonly CycleEvent[], from: CycleState = IDLE): { state: CycleState; effects: Effect[] } {
  let state = from;
  const effects: Effect[] = [];
  for (const event of events) {
    const step = next(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

describe('a repo at rest', () => {
  test('stays so when a poll finds nothing new', () => {
    assert.deepEqual(after([noNews]), { state: IDLE, effects: [] });
  });

  test('goes from a new revision through all steps and rests again', () => {
    const works = [news, ...run].map((_, index, all) => after(all.slice(0, index + 1)).state.work);
    assert.deepEqual(works, ['waiting', 'reading', 'parsing', 'publishing']);
    assert.deepEqual(after([news, ...run, ended]), { state: IDLE, effects: ['line up'] });
  });

  test('that is asked for looks first, and then tries every failure again, news or not', () => {
    const looking = after([asked]);
    assert.deepEqual(looking.effects, ['look']);
    assert.ok(isBusy(looking.state));
    for (const end of [news, noNews]) {
      const { state, effects } = after([end], looking.state);
      assert.deepEqual([state.look, state.work, state.scope, effects], ['none', 'waiting', 'everything', ['line up']]);
    }
  });

  test('that is saved works with the known revision at once, and looks meanwhile', () => {
    const { state, effects } = after([saved]);
    assert.deepEqual(effects, ['line up', 'look']);
    assert.deepEqual(after([...run, ended], state).state, { ...IDLE, look: 'asked' });
    assert.deepEqual(after([...run, ended, noNews, ...run, ended], state).state, IDLE);
  });

  test('that is added, or is elsewhere now, is polled before anything else', () => {
    const { state, effects } = after([added]);
    assert.deepEqual([effects, state.work], [['look'], 'none']);
    assert.deepEqual(after([noNews], state).effects, ['line up'], 'even when that fails');
  });

  test('tries its refused definitions again when the configuration has changed', () => {
    const { state, effects } = after([changed]);
    assert.deepEqual([state.work, state.scope, effects], ['waiting', 'refusals', ['line up']]);
  });
});

describe('an event', () => {
  test('while it waits is done in the same run', () => {
    const { state, effects } = after([news, changed, news]);
    assert.deepEqual([state.work, state.scope, state.next, effects], ['waiting', 'refusals', undefined, ['line up']]);
  });

  test('while it works is done in another run', () => {
    const { state, effects } = after([news, { type: 'begun' }, news, changed]);
    assert.deepEqual([state.work, state.next, effects], ['reading', 'refusals', ['line up']]);
    const later = after([ended], state);
    assert.deepEqual([later.state.work, later.state.scope, later.state.next], ['waiting', 'refusals', undefined]);
    assert.deepEqual(later.effects, ['line up']);
  });

  test('with other settings cuts the run that goes by the old ones', () => {
    const { state, effects } = after([news, { type: 'begun' }, { type: 'read' }, saved]);
    assert.deepEqual(effects, ['line up', 'cut', 'look']);
    assert.deepEqual([after([ended], state).state.work, after([ended], state).state.scope], ['waiting', 'everything']);
  });

  test('a poll that may have begun too early is followed by another one', () => {
    const { state, effects } = after([asked, { type: 'overlapped' }, noNews]);
    assert.deepEqual([state.look, state.work, effects], ['asked', 'none', ['look', 'look']]);
    assert.deepEqual(after([noNews], state).effects, ['line up']);
  });
});

describe('a repo that is removed', () => {
  test('does nothing any more', () => {
    const { state } = after([asked, removed]);
    assert.ok(!isBusy(state));
    assert.deepEqual(after([news, asked, saved, changed, ...run], state), { state, effects: [] });
  });

  test('has its run cut, and none follows', () => {
    const { state, effects } = after([news, { type: 'begun' }, changed, removed]);
    assert.deepEqual(effects, ['line up', 'cut']);
    assert.deepEqual(after([ended], state), { state: { ...IDLE, isGone: true }, effects: [] });
  });
});

test('any events in any order: one run at a time is in line, no event is forgotten, and the repo comes to rest', () => {
  const outside = fc.constantFrom<CycleEvent[]>(asked, saved, added, news, noNews, changed, { type: 'taken up' }, { type: 'overlapped' });
  fc.assert(
    fc.property(fc.array(fc.tuple(outside, fc.nat(4))), (happenings) => {
      let state = IDLE;
      let inLine = 0;
      let isWanted = false;
      const feed = (event: CycleEvent) => {
        const step = next(state, event);
        state = step.state;
        inLine += step.effects.filter((effect) => effect === 'line up').length;
        assert.ok(inLine <= 1);
        assert.equal(inLine === 1, state.work === 'waiting');
      };
      const progress = () => {
        if (state.work === 'waiting') {
          inLine--;
          isWanted = false;
          feed(run[0]!);
        } else if (state.work === 'reading') feed(run[1]!);
        else if (state.work === 'parsing') feed(run[2]!);
        else if (state.work === 'publishing') feed(ended);
      };
      for (const [event, steps] of happenings) {
        feed(event);
        if (event === saved || event.type === 'changed' || event === news) isWanted = true;
        if (isWanted && event !== asked) assert.ok(state.look !== 'none' || state.work === 'waiting' || state.next !== undefined);
        for (let count = 0; count < steps; count++) progress();
      }
      for (let count = 0; count < 20 && isBusy(state); count++) {
        if (state.work === 'none' && state.look !== 'none') feed(noNews);
        else progress();
      }
      assert.deepEqual(state, IDLE);
      assert.ok(!isRunning(state));
    }),
  );
});
