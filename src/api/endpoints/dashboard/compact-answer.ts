// Rows of the dashboard joined into an answer. Times count back from the latest of them, because small numbers are short.
import type { DashboardIndex, DashboardRow } from '../../../builds/dashboard/dashboard-index.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import type { Caller } from './caller.ts';
import { COLUMNS, type CompactRow, type CompactRun, compactRow, exceptionsOf, FLAGS, flagsOf, STATUSES } from './compact-row.ts';
import { AnswerTables, SharedTables, trimmed } from './compact-tables.ts';

export interface CompactAnswer {
  readonly token: string;
  readonly text: string;
  readonly bytes: number;
}

/** The tables and rows made since a start of the index. */
interface KnownRows {
  readonly tables: SharedTables;
  readonly rows: WeakMap<DashboardRow, CompactRow>;
}

const nothingKnown = (): KnownRows => ({ tables: new SharedTables(), rows: new WeakMap() });

/** Maximum number of answers that are kept, each for all callers with the same key. */
const MAX_REMEMBERED = 16;
const FIRST_OPTIONAL = COLUMNS.indexOf('run');
const PARTS = `"columns":${JSON.stringify(COLUMNS)},"flags":${JSON.stringify(FLAGS)},"statuses":${JSON.stringify(STATUSES)}`;

export class CompactAnswers {
  readonly #index: DashboardIndex;
  #epoch = '';
  #known = nothingKnown();
  /** Of the present version, by the key of the caller. */
  readonly #full = new Map<string, { readonly token: string; readonly answer: Promise<CompactAnswer> }>();

  constructor(index: DashboardIndex) {
    this.#index = index;
  }

  tokenFor({ key }: Caller): string {
    return `${this.#index.epoch}.${this.#index.version}.${key}`;
  }

  /** All rows. */
  full(caller: Caller): Promise<CompactAnswer> {
    const token = this.tokenFor(caller);
    const known = this.#full.get(caller.key);
    if (known?.token === token) return known.answer;
    this.#full.delete(caller.key);
    const [oldest] = this.#full.keys();
    if (this.#full.size >= MAX_REMEMBERED && oldest !== undefined) this.#full.delete(oldest);
    const rows = this.#index.rows().filter(({ facts }) => caller.sees(facts.pipeline));
    const answer = this.#make(token, rows, caller);
    this.#full.set(caller.key, { token, answer });
    answer.catch(() => this.#full.delete(caller.key));
    return answer;
  }

  /** The changes since a token; all rows where they are not known. */
  since(token: string, caller: Caller): Promise<CompactAnswer> {
    const [epoch = '', version = '', key = ''] = token.split('.');
    const isNumber = /^\d{1,15}$/.test(version);
    const changes = isNumber && key === caller.key ? this.#index.changesSince(epoch, Number(version)) : undefined;
    if (!changes) return this.full(caller);
    const removed = new Map<string, string>();
    const rows = new Map<string, DashboardRow>();
    for (const { key: of, name, from } of changes) {
      const row = this.#index.find(of);
      if (row && caller.sees(row.facts.pipeline)) rows.set(of, row);
      else if (from !== undefined && caller.sees({ group: from, name })) removed.set(of, name);
    }
    return this.#make(this.tokenFor(caller), [...rows.values()], caller, [...removed.values()]);
  }

  async #make(token: string, rows: readonly DashboardRow[], caller: Caller, removed?: readonly string[]): Promise<CompactAnswer> {
    this.#begin();
    const { tables: shared, rows: compactRows } = this.#known;
    const compact: CompactRow[] = [];
    let base = 0;
    for (const row of rows) {
      const one = compactRows.get(row) ?? compactRow(row.facts, shared);
      compactRows.set(row, one);
      compact.push(one);
      base = Math.max(base, one.pause?.at ?? 0, ...one.runs.map(({ at }) => at));
      const breath = pause();
      if (breath) await breath;
    }
    const tables = new AnswerTables(shared);
    const lines: string[] = [];
    for (const [index, row] of rows.entries()) {
      lines.push(lineOf(compact[index]!, row, { caller, tables, base }));
      const breath = pause();
      if (breath) await breath;
    }
    const kind = removed ? `"full":false,"removed":${JSON.stringify(removed)}` : '"full":true';
    const text = `{"token":${JSON.stringify(token)},${kind},${PARTS},"base":${base},${tables.json},"rows":[${lines.join()}]}`;
    return { token, text, bytes: Buffer.byteLength(text) };
  }

  /** After a restart of the index all rows are new: tables and texts of the old ones are forgotten. */
  #begin(): void {
    if (this.#epoch === this.#index.epoch) return;
    this.#epoch = this.#index.epoch;
    this.#known = nothingKnown();
    this.#full.clear();
  }
}

interface Context {
  readonly caller: Caller;
  readonly tables: AnswerTables;
  readonly base: number;
}

function lineOf(compact: CompactRow, { facts }: DashboardRow, { caller, tables, base }: Context): string {
  const { name, place, runs, pause: paused } = compact;
  const [latest, ...others] = runs.map((run) => runText(run, tables, base));
  const exceptions = exceptionsOf(compact, facts, caller).map((stage) => tables.stage(stage));
  const columns: (string | number)[] = [
    name,
    tables.place(place),
    flagsOf(facts, caller),
    latest ?? 0,
    others.length === 0 ? 0 : `[${others.join()}]`,
    paused ? `[${paused.reason},${tables.text(paused.by)},${base - paused.at}]` : 0,
    exceptions.length === 0 ? 0 : `[${exceptions.join()}]`,
  ];
  // Columns at the end that say nothing are left out.
  return `[${columns.slice(0, Math.max(FIRST_OPTIONAL, columns.findLastIndex((column) => column !== 0) + 1)).join()}]`;
}

function runText({ counter, pattern, at, label, details }: CompactRun, tables: AnswerTables, base: number): string {
  const start = `${counter},${tables.pattern(pattern)},${base - at}`;
  if (details.length === 0) return label === '0' ? `[${start}]` : `[${start},${label}]`;
  const ofStages = details.map(({ index, counter: of, approvedBy, cancelledBy, after }) =>
    [index, ...trimmed([of, tables.text(approvedBy), tables.text(cancelledBy), after])].join(),
  );
  return `[${start},${label},[[${ofStages.join('],[')}]]]`;
}
