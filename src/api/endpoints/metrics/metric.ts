// A metric as it is declared: its name, and where its values come from when metrics are requested.

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly kind: 'gauge' | 'counter';
  /** The names of the labels. */
  readonly labels?: readonly string[];
  /** The values of now; none where there is nothing to report. */
  values(): readonly MetricValue[] | Promise<readonly MetricValue[]>;
}

export interface MetricValue {
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export function gauge(name: string, help: string, value: () => number | undefined): Metric {
  return { name, help, kind: 'gauge', values: () => only(value()) };
}

export function counter(name: string, help: string, value: () => number | undefined): Metric {
  return { name, help, kind: 'counter', values: () => only(value()) };
}

function only(value: number | undefined): readonly MetricValue[] {
  return value === undefined ? [] : [{ value }];
}
