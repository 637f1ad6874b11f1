// One budget of the pages, and the value measured for it.
export interface Budget {
  /** For programs. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The largest value allowed. */
  readonly max: number;
  /** The value of a bare page that fetches the same bytes. */
  readonly bare?: number;
  /** How many times the value of the bare page it may be. */
  readonly maxRatio?: number;
}

export function isMet({ value, max, bare, maxRatio }: Budget): boolean {
  return value <= max && (bare === undefined || maxRatio === undefined || value <= maxRatio * bare);
}

export function describeBudget(budget: Budget): string {
  const { name, value, unit, max, bare, maxRatio } = budget;
  const beside = bare === undefined ? '' : `; bare page ${rounded(bare)}, ${(value / bare).toFixed(1)} ×`;
  const times = maxRatio === undefined ? '' : `, ${maxRatio} ×`;
  return `${isMet(budget) ? 'ok' : 'OVER'} ${name}: ${rounded(value)} ${unit} (≤ ${max}${times}${beside})`;
}

function rounded(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}
