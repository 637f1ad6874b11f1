// A pipeline as the dashboard shows it, read from the short form of the API.

export interface DashboardStage {
  readonly name: string;
  readonly isManual: boolean;
  readonly onlyOnSuccess: boolean;
  readonly canOperate: boolean;
  /** `Unknown`: it has not been run. */
  readonly status: string;
  /** Known only while it is under way. */
  readonly scheduledAt: number | undefined;
  /** 0: it has not been run. */
  readonly counter: number;
  readonly approvedBy: string | null;
  readonly cancelledBy: string | null;
}

export interface DashboardRun {
  readonly counter: number;
  readonly label: string;
  readonly triggeredBy: string | null;
  readonly scheduledAt: number;
  readonly stages: readonly DashboardStage[];
}

type StageDetail = readonly [index: number, counter?: number, approvedBy?: number, cancelledBy?: number, after?: number];
type RunColumns = readonly [counter: number, pattern: number, before: number, label?: string | 0, details?: readonly StageDetail[]];
type PauseColumns = readonly [reason: string, by: number, before: number];
export type RowColumns = readonly [
  name: string,
  place: number,
  flags: number,
  run?: RunColumns | 0,
  others?: readonly RunColumns[] | 0,
  pause?: PauseColumns | 0,
  exceptions?: readonly number[] | 0,
];

/** An answer of `/api/dashboard/rows`: numbers in rows stand for names in its tables. */
export interface RowsAnswer {
  readonly token: string;
  readonly full: boolean;
  readonly removed?: readonly string[];
  readonly flags: { readonly canOperate: number; readonly canAdminister: number; readonly canPause: number; readonly locked: number };
  readonly statuses: readonly string[];
  readonly texts: readonly (string | null)[];
  readonly stages: readonly (readonly [name: string, isManual: number, onlyOnSuccess: number])[];
  /** Times count back from it, in milliseconds. */
  readonly base: number;
  /** Group, environment, config repo, template. */
  readonly places: readonly (readonly number[])[];
  readonly patterns: readonly (readonly [approver: number, statuses: string, ...stages: number[]])[];
  readonly rows: readonly RowColumns[];
}

/** Its runs are read when they are first asked for: of ten thousand pipelines a screenful is drawn. */
export class DashboardRow {
  readonly name: string;
  /** In lower case, to search in. */
  readonly key: string;
  readonly group: string;
  readonly environment: string | null;
  /** The config repo that defines it. */
  readonly origin: string | null;
  readonly template: string | null;
  readonly pause: { readonly reason: string; readonly by: string | null; readonly at: number } | undefined;
  readonly isLocked: boolean;
  readonly canOperate: boolean;
  readonly canAdminister: boolean;
  readonly canPause: boolean;
  readonly #columns: RowColumns;
  readonly #answer: RowsAnswer;
  #runs: readonly DashboardRun[] | undefined;

  constructor(columns: RowColumns, answer: RowsAnswer) {
    const [name, place, flags, , , pause = 0] = columns;
    const [group, environment, origin, template] = answer.places[place] ?? [];
    this.name = name;
    this.key = name.toLowerCase();
    this.group = textOf(answer, group) ?? '';
    this.environment = textOf(answer, environment);
    this.origin = textOf(answer, origin);
    this.template = textOf(answer, template);
    this.pause = pause === 0 ? undefined : { reason: pause[0], by: textOf(answer, pause[1]), at: answer.base - pause[2] };
    this.isLocked = (flags & answer.flags.locked) !== 0;
    this.canOperate = (flags & answer.flags.canOperate) !== 0;
    this.canAdminister = (flags & answer.flags.canAdminister) !== 0;
    this.canPause = (flags & answer.flags.canPause) !== 0;
    this.#columns = columns;
    this.#answer = answer;
  }

  /** Newest first: the latest run, and other runs that are under way. */
  get runs(): readonly DashboardRun[] {
    return (this.#runs ??= this.#read());
  }

  #read(): readonly DashboardRun[] {
    const [, , , run = 0, others = 0, , exceptions = 0] = this.#columns;
    if (run === 0) return [];
    const operates = (stage: number): boolean => (exceptions !== 0 && exceptions.includes(stage) ? !this.canPause : this.canPause);
    return [run, ...(others === 0 ? [] : others)].map((one) => runOf(one, this.#answer, operates));
  }
}

export function rowOf(columns: RowColumns, answer: RowsAnswer): DashboardRow {
  return new DashboardRow(columns, answer);
}

function textOf({ texts }: RowsAnswer, number = 0): string | null {
  return texts[number] ?? null;
}

/** The stage that waits for a user to run it: all before it have ended. */
export function waitingStage({ stages }: DashboardRun): DashboardStage | undefined {
  const index = stages.findIndex(({ counter }) => counter === 0);
  const [before, next] = [stages[index - 1], stages[index]];
  if (before === undefined || next === undefined || !next.isManual || UNDER_WAY.has(before.status)) return undefined;
  return next.onlyOnSuccess && before.status !== 'Passed' ? undefined : next;
}

const UNDER_WAY: ReadonlySet<string> = new Set(['Building', 'Failing']);

function runOf(
  [counter, pattern, before, label = 0, details = []]: RunColumns,
  answer: RowsAnswer,
  operates: (stage: number) => boolean,
): DashboardRun {
  const [approver, statuses, ...stages] = answer.patterns[pattern] ?? [0, ''];
  const triggeredBy = textOf(answer, approver);
  const scheduledAt = answer.base - before;
  return {
    counter,
    label: label === 0 ? String(counter) : label,
    triggeredBy,
    scheduledAt,
    stages: stages.map((stage, index) => {
      const [name, isManual, onlyOnSuccess] = answer.stages[stage] ?? ['', 0, 0];
      const [, code = 0, approvedBy = 0, cancelledBy = 0, after = 0] = details.find(([of]) => of === index) ?? [];
      const status = answer.statuses[Number(statuses[index])] ?? 'Unknown';
      // The first run of a stage is by far the most frequent: its counter is left out.
      const hasRun = status !== 'Unknown' || code !== 0;
      return {
        name,
        isManual: isManual === 1,
        onlyOnSuccess: onlyOnSuccess === 1,
        canOperate: operates(stage),
        status,
        scheduledAt: UNDER_WAY.has(status) ? scheduledAt + after : undefined,
        counter: hasRun ? code || 1 : 0,
        approvedBy: approvedBy === 0 ? triggeredBy : textOf(answer, approvedBy),
        cancelledBy: textOf(answer, cancelledBy),
      };
    }),
  };
}
