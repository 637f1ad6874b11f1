// Pages of modifications in a database with very many of them, beside one with few; and how fast a long history is recorded.
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Database } from '../../src/store/database.ts';
import { Materials } from '../../src/store/materials/materials.ts';
import { Modifications, type ModificationToRecord } from '../../src/store/materials/modifications.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { median, percentile } from '../support/statistics.ts';

const MANY = 1_000_000;
const FEW = 1000;
const DEEP = 100_000;
const PAGE = 10;
const MAX_FIRST = 1.2;
const MAX_DEEP = 3;
const WARM_UP = 300;
const RECORDED = 100_000;
const BATCH = 500;
const FILES = 3;
const MAX_STOP_MS = 20;

export const modificationPages: Measurement = {
  name: 'modification-pages',
  what: 'page of modifications, first and at offset 100,000, at 1,000,000 rows',
  beside: 'first page at 1,000 rows',
  goal: `≤ ${MAX_FIRST} ×, ≤ ${MAX_DEEP} ×`,
  run: async (lab) => {
    const many = await filled(lab, MANY);
    const few = await filled(lab, FEW);
    const times = { first: [] as number[], deep: [] as number[], small: [] as number[] };
    for (let turn = 0; turn < WARM_UP + lab.scale.requests; turn++) {
      const [first, deep, small] = [await timed(many, 0), await timed(many, DEEP + turn), await timed(few, 0)];
      if (turn < WARM_UP) continue;
      times.first.push(first);
      times.deep.push(deep);
      times.small.push(small);
    }
    await Promise.all([many.database.close(), few.database.close()]);
    const [first, deep, small] = [median(times.first), median(times.deep), median(times.small)];
    const micro = (value: number) => `${(value * 1000).toFixed(0)} µs`;
    return {
      figure: `${(first / small).toFixed(2)} ×, ${(deep / small).toFixed(2)} ×`,
      isMet: first / small <= MAX_FIRST && deep / small <= MAX_DEEP,
      numbers: { first, deep, small, firstP99: percentile(times.first, 0.99), smallP99: percentile(times.small, 0.99) },
      notes: [`p50 ${micro(first)} and ${micro(deep)} beside ${micro(small)}; half of the rows are of other materials, in between`],
    };
  },
};

export const recordModifications: Measurement = {
  name: 'record-modifications',
  what: `recording of 100,000 modifications of one material, ${FILES} files each`,
  beside: '–',
  goal: 'stated',
  run: async (lab) => {
    const { database, modifications, id } = await opened(lab);
    const memoryBefore = process.memoryUsage().rss;
    let peakMemory = memoryBefore;
    const usedBefore = usedMb();
    const stops = monitorEventLoopDelay({ resolution: 1 });
    stops.enable();
    const startedAt = performance.now();
    const record = async (from: number) => {
      for (let number = from; number < from + RECORDED; number += BATCH) {
        await modifications.record(
          id,
          Array.from({ length: BATCH }, (_, index) => modification(number + index)),
        );
        peakMemory = Math.max(peakMemory, process.memoryUsage().rss);
      }
    };
    await record(0);
    const seconds = (performance.now() - startedAt) / 1000;
    stops.disable();
    const memoryMb = (peakMemory - memoryBefore) / 1024 / 1024;
    const keptMb = usedMb() - usedBefore;
    await record(RECORDED);
    const keptAtTwiceMb = usedMb() - usedBefore;
    await database.close();
    const numbers = {
      perSecond: RECORDED / seconds,
      stopP50: stops.percentile(50) / 1e6,
      stopP99: stops.percentile(99) / 1e6,
      longestStop: stops.max / 1e6,
      memoryMb,
      keptMb,
      keptAtTwiceMb,
    };
    const { perSecond, stopP50, stopP99, longestStop } = numbers;
    return {
      figure: `${Math.round(perSecond).toLocaleString('en')} a second`,
      isMet: undefined,
      numbers,
      notes: [
        `others wait p50 ${stopP50.toFixed(1)} ms, p99 ${stopP99.toFixed(1)} ms, at most ${longestStop.toFixed(0)} ms (wanted: p99 ≤ ${MAX_STOP_MS} ms)`,
        `the memory grew by ${memoryMb.toFixed(0)} MB meanwhile; ${keptMb.toFixed(1)} MB of it are in use afterwards, and ${keptAtTwiceMb.toFixed(1)} MB after as many again`,
      ],
    };
  },
};

/** The heap that is in use after a garbage collection. */
function usedMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

interface OpenedStore {
  readonly path: string;
  readonly database: Database;
  readonly modifications: Modifications;
  readonly id: number;
}

async function opened(lab: Lab): Promise<OpenedStore> {
  const path = lab.newPath();
  const database = openSqlite(path);
  await migrate(database);
  const { id } = await new Materials(database).ensure({ fingerprint: 'bench', type: 'git', description: 'bench' });
  await new Materials(database).ensure({ fingerprint: 'other', type: 'git', description: 'other' });
  const modifications = new Modifications(database);
  await modifications.load();
  return { path, database, modifications, id };
}

/** Written past the server, because that many would take minutes through it. */
async function filled(lab: Lab, rows: number): Promise<OpenedStore> {
  const result = await opened(lab);
  const raw = new DatabaseSync(result.path);
  raw.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN');
  raw.exec(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
    insert into modifications (id, material_id, ordinal, revision, user_name, comment, modified_time)
    select n, 1 + n % 2, (n + 1) / 2, lower(hex(randomblob(20))), 'Some One <some.one@example.org>', 'Change number ' || n, 1400000000000 + n * 60000
    from numbers`);
  raw.exec('update materials set modification_count = (select count(*) from modifications where material_id = materials.id); COMMIT');
  raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  raw.close();
  return result;
}

async function timed({ modifications, id }: OpenedStore, offset: number): Promise<number> {
  const startedAt = performance.now();
  const { modifications: page } = await modifications.page(id, offset, PAGE);
  const took = performance.now() - startedAt;
  if (page.length !== PAGE) throw new Error(`The page has ${page.length} modifications.`);
  return took;
}

function modification(number: number): ModificationToRecord {
  return {
    revision: createHash('sha1').update(String(number)).digest('hex'),
    userName: 'Some One <some.one@example.org>',
    email: null,
    comment: `Change number ${number}: ${'words '.repeat(12)}`,
    modifiedTime: new Date(1_400_000_000_000 + number * 60_000),
    files: Array.from({ length: FILES }, (_, index) => ({ name: `src/folder/file-${(number * 7 + index) % 5000}.ts`, action: 'modified' })),
  };
}
