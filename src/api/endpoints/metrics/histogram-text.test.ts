// Tests of histograms as text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram } from '../../../kit/telemetry/histogram.ts';
import { LabelledHistograms } from '../../../kit/telemetry/labelled-histograms.ts';
import { histogramText } from './histogram-text.ts';

test('a histogram without labels is written with its buckets, sum and count', () => {
  const times = new Histogram([0.5, 1]);
  times.add(0.25);
  times.add(2);
  const text = histogramText({ name: 'waits', help: 'Waits.', labels: [], series: () => [{ values: [], snapshot: times.snapshot() }] });
  assert.equal(
    text,
    [
      '# HELP waits Waits.',
      '# TYPE waits histogram',
      'waits_bucket{le="0.5"} 1',
      'waits_bucket{le="1"} 1',
      'waits_bucket{le="+Inf"} 2',
      'waits_sum 2.25',
      'waits_count 2',
      '',
    ].join('\n'),
  );
});

test('labels are escaped, and each combination is a series', () => {
  const times = new LabelledHistograms(['kind', 'end'], [1]);
  times.add(['a"b\\', 'ok'], 0.5);
  times.add(['a"b\\', 'ok'], 0.5);
  times.add(['c', 'ok'], 3);
  const text = histogramText({ name: 'n', help: 'h', labels: times.names, series: () => times.all() });
  assert.match(text, /^n_count\{kind="a\\"b\\\\",end="ok"\} 2$/m);
  assert.match(text, /^n_bucket\{kind="c",end="ok",le="1"\} 0$/m);
});

test('a histogram without any series is written with its name and type', () => {
  const text = histogramText({ name: 'n', help: 'h', labels: ['a'], series: () => [] });
  assert.equal(text, '# HELP n h\n# TYPE n histogram\n');
});
