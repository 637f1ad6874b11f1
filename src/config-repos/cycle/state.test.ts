import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type CycleEvent, type CycleState, type Effect, IDLE, isBusy, isRunning, next } from './state.ts';

const requested: CycleEvent = { type: 'requested' };
const saved: CycleEvent = { type: 'saved', isNew: false };
const added: CycleEvent = { type: 'saved', isNew: true };
const newRevision: CycleEvent = { type: 'pollEnded', hasChanges: true };
const noNewRevision: CycleEvent = { type: 'pollEnded', hasChanges: false };
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
    assert.deepEqual(after([noNewRevision]), { state: IDLE, effects: [] });
  });

  test('goes from a new revision through all steps and rests again', () => {
    const steps = [newRevision, ...run].map((_, index, all) => after(all.slice(0, index + 1)).state.step);
    assert.deepEqual(steps, ['waiting', 'reading', 'parsing', 'publishing']);
    assert.deepEqual(after([newRevision, ...run, ended]), { state: IDLE, effects: ['enqueue'] });
  });

  test('is polled first after a request, and then tries every failure again, news or not', () => {
    const polling = after([requested]);
    assert.deepEqual(polling.effects, ['requestPoll']);
    assert.ok(isBusy(polling.state));
    for (const end of [newRevision, noNewRevision]) {
      const { state, effects } = after([end], polling.state);
      assert.deepEqual([state.poll, state.step, state.scope, effects], ['none', 'waiting', 'everything', ['enqueue']]);
    }
  });

  test('works with the known revision at once when it is saved, and is polled meanwhile', () => {
    const { state, effects } = after([saved]);
    assert.deepEqual(effects, ['enqueue', 'requestPoll']);
    assert.deepEqual(after([...run, ended], state).state, { ...IDLE, poll: 'requested' });
    assert.deepEqual(after([...run, ended, noNewRevision, ...run, ended], state).state, IDLE);
  });

  test('is polled before anything else when it is added', () => {
    const { state, effects } = after([added]);
    assert.deepEqual([effects, state.step], [['requestPoll'], 'none']);
    assert.deepEqual(after([noNewRevision], state).effects, ['enqueue'], 'even when that fails');
  });

  test('tries its refused definitions again when the configuration has changed', () => {
    const { state, effects } = after([changed]);
    assert.deepEqual([state.step, state.scope, effects], ['waiting', 'refusals', ['enqueue']]);
  });
});

describe('an event', () => {
  test('an event that comes while a run waits is handled in the same run', () => {
    const { state, effects } = after([newRevision, changed, newRevision]);
    assert.deepEqual([state.step, state.scope, state.next, effects], ['waiting', 'refusals', undefined, ['enqueue']]);
  });

  test('an event that comes while a run works is handled in another run', () => {
    const { state, effects } = after([newRevision, { type: 'begun' }, newRevision, changed]);
    assert.deepEqual([state.step, state.next, effects], ['reading', 'refusals', ['enqueue']]);
    const later = after([ended], state);
    assert.deepEqual([later.state.step, later.state.scope, later.state.next], ['waiting', 'refusals', undefined]);
    assert.deepEqual(later.effects, ['enqueue']);
  });

  test('an event with other settings aborts the run that goes by the old ones', () => {
    const { state, effects } = after([newRevision, { type: 'begun' }, { type: 'read' }, saved]);
    assert.deepEqual(effects, ['enqueue', 'abort', 'requestPoll']);
    assert.deepEqual([after([ended], state).state.step, after([ended], state).state.scope], ['waiting', 'everything']);
  });

  test('a poll that may have begun too early is followed by another one', () => {
    const { state, effects } = after([requested, { type: 'overlapped' }, noNewRevision]);
    assert.deepEqual([state.poll, state.step, effects], ['requested', 'none', ['requestPoll', 'requestPoll']]);
    assert.deepEqual(after([noNewRevision], state).effects, ['enqueue']);
  });
});

describe('a repo that is removed', () => {
  test('does nothing any more', () => {
    const { state } = after([requested, removed]);
    assert.ok(!isBusy(state));
    assert.deepEqual(after([newRevision, requested, saved, changed, ...run], state), { state, effects: [] });
  });

  test('has its run aborted, and no run follows', () => {
    const { state, effects } = after([newRevision, { type: 'begun' }, changed, removed]);
    assert.deepEqual(effects, ['enqueue', 'abort']);
    assert.deepEqual(after([ended], state), { state: { ...IDLE, isGone: true }, effects: [] });
  });
});

test('any events in any order: one run at a time is in the queue, no event is forgotten, and the repo comes to rest', () => {
  const events = fc.constantFrom<CycleEvent[]>(
    requested,
    saved,
    added,
    newRevision,
    noNewRevision,
    changed,
    { type: 'resumed' },
    { type: 'overlapped' },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(events, fc.nat(4))), (happenings) => {
      let state = IDLE;
      let queued = 0;
      let isWanted = false;
      const feed = (event: CycleEvent) => {
        const step = next(state, event);
        state = step.state;
        queued += step.effects.filter((effect) => effect === 'enqueue').length;
        assert.ok(queued <= 1);
        assert.equal(queued === 1, state.step === 'waiting');
      };
      const progress = () => {
        if (state.step === 'waiting') {
          queued--;
          isWanted = false;
          feed(run[0]!);
        } else if (state.step === 'reading') feed(run[1]!);
        else if (state.step === 'parsing') feed(run[2]!);
        else if (state.step === 'publishing') feed(ended);
      };
      for (const [event, steps] of happenings) {
        feed(event);
        if (event === saved || event.type === 'changed' || event === newRevision) isWanted = true;
        if (isWanted && event !== requested) assert.ok(state.poll !== 'none' || state.step === 'waiting' || state.next !== undefined);
        for (let count = 0; count < steps; count++) progress();
      }
      for (let count = 0; count < 20 && isBusy(state); count++) {
        if (state.step === 'none' && state.poll !== 'none') feed(noNewRevision);
        else progress();
      }
      assert.deepEqual(state, IDLE);
      assert.ok(!isRunning(state));
    }),
  );
});
