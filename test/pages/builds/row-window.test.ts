// Which rows of a long console are drawn at a position of its scroll bar.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heightOfRows, ROW, rowWindow, topOfFirst } from '../../../pages/job/console/row-window.ts';

const clientHeight = 578;
/** The longest log that is not scaled has 444,444 lines. */
const COUNTS = [40, 1000, 444_444, 444_445, 1_000_000, 20_000_000];

describe('the rows of a log in sight', () => {
  it('begin with the first at the top of the bar, and end with the last at its end', () => {
    for (const count of COUNTS) {
      assert.equal(rowWindow(count, { scrollTop: 0, clientHeight }).first, 0);
      const scrollTop = heightOfRows(count) - clientHeight;
      const { first, visible, scale } = rowWindow(count, { scrollTop, clientHeight });
      assert.ok(first + visible >= count);
      const bottom = topOfFirst(first, scale) - scrollTop + (count - first) * ROW;
      assert.ok(bottom > clientHeight - ROW && bottom < clientHeight + 0.01, `the last of ${count} rows ends at ${bottom}`);
    }
  });

  it('stand where the bar is', () => {
    for (const count of COUNTS) {
      for (let part = 0; part <= 1; part += 1 / 64) {
        const scrollTop = part * (heightOfRows(count) - clientHeight);
        const { first, scale } = rowWindow(count, { scrollTop, clientHeight });
        const above = scrollTop - topOfFirst(first, scale);
        assert.ok(above > -1 && above < ROW, `${count} rows at ${scrollTop}: ${above}`);
      }
    }
  });

  it('are all rows of a log that has room', () => {
    assert.deepEqual(rowWindow(3, { scrollTop: 0, clientHeight }), { first: 0, visible: 33, scale: 1 });
    assert.deepEqual(rowWindow(0, { scrollTop: 0, clientHeight: 0 }), { first: 0, visible: 0, scale: 1 });
  });
});
