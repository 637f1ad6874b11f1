// Histograms as text. The library can only count by itself, and would have to be loaded before there is anything to count.
import type { Series } from '../../../kit/telemetry/labelled-histograms.ts';

export interface ShownHistogram {
  readonly name: string;
  readonly help: string;
  /** The names of the labels. */
  readonly labels: readonly string[];
  series(): readonly Series[];
}

export function histogramText({ name, help, labels, series }: ShownHistogram): string {
  const lines = series().flatMap(({ values, figures: { count, seconds, atMost } }) => {
    const own = labels.map((label, place) => `${label}="${escaped(values[place] ?? '')}"`);
    const all = own.length === 0 ? '' : `{${own.join(',')}}`;
    return [
      ...[...atMost, { bound: '+Inf', count }].map((one) => `${name}_bucket{${[...own, `le="${one.bound}"`].join(',')}} ${one.count}`),
      `${name}_sum${all} ${seconds}`,
      `${name}_count${all} ${count}`,
    ];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
}
