// The runs that the user has chosen to compare: at most two.

/** The counters of the runs, in the order of the choice. */
export type ComparedRuns = readonly number[];

/** Adds a run, or removes it if it was chosen. A third run replaces the one that was chosen first. */
export function toggleRun(chosen: ComparedRuns, counter: number): ComparedRuns {
  if (chosen.includes(counter)) return chosen.filter((one) => one !== counter);
  return [...chosen, counter].slice(-2);
}

/** The runs to compare: the chosen two, or the selected one and the run before it. The earlier one comes first. */
export function pairOf(chosen: ComparedRuns, selected: number | undefined): readonly [from: number, to: number] | undefined {
  const [one, other] = chosen;
  if (one !== undefined && other !== undefined) return [Math.min(one, other), Math.max(one, other)];
  if (one !== undefined && selected !== undefined && one !== selected) return [Math.min(one, selected), Math.max(one, selected)];
  const single = selected ?? one;
  return single === undefined || single < 2 ? undefined : [single - 1, single];
}
