// One budget of the pages, and the value measured for it.
export interface Budget {
  /** For programs. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The largest value allowed. */
  readonly most: number;
  /** The same of a bare page that fetches the same bytes. */
  readonly bare?: number;
  /** So many times the bare page it may take. */
  readonly mostTimes?: number;
}

export function isMet({ value, most, bare, mostTimes }: Budget): boolean {
  return value <= most && (bare === undefined || mostTimes === undefined || value <= mostTimes * bare);
}

export function inWords(budget: Budget): string {
  const { name, value, unit, most, bare, mostTimes } = budget;
  const beside = bare === undefined ? '' : `; bare page ${rounded(bare)}, ${(value / bare).toFixed(1)} ×`;
  const times = mostTimes === undefined ? '' : `, ${mostTimes} ×`;
  return `${isMet(budget) ? 'ok' : 'OVER'} ${name}: ${rounded(value)} ${unit} (≤ ${most}${times}${beside})`;
}

function rounded(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}
