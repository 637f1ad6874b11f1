// Histograms as text. Rendered here, because the metrics library renders only histograms that it has counted itself, and would have to be loaded at the start.
import type { Series } from '../../../kit/telemetry/labelled-histograms.ts';

export interface ShownHistogram {
  readonly name: string;
  readonly help: string;
  /** The names of the labels. */
  readonly labels: readonly string[];
  series(): readonly Series[];
}

export function histogramText({ name, help, labels, series }: ShownHistogram): string {
  const lines = series().flatMap(({ values, snapshot: { count, seconds, buckets } }) => {
    const own = labels.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`);
    const all = own.length === 0 ? '' : `{${own.join(',')}}`;
    return [
      ...[...buckets, { bound: '+Inf', count }].map((one) => `${name}_bucket{${[...own, `le="${one.bound}"`].join(',')}} ${one.count}`),
      `${name}_sum${all} ${seconds}`,
      `${name}_count${all} ${count}`,
    ];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
}
