// Writes many runs straight into the database of a server that is stopped: through the API a million would take hours.
import { DatabaseSync } from 'node:sqlite';

const TABLES = ['runs', 'stage_runs', 'jobs'];
/** When the first of them was. */
const BEGAN = 1_700_000_000_000;

/**
 * Of the pipelines of `createPipelines`, all alike, one after the other: each run has so many stages that have passed, each with one job.
 * Indexes are made at the end, because one by one their entries would be written all over the file.
 */
export function addRuns(path: string, runs: number, pipelines: number, stages = 1): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; PRAGMA temp_store = MEMORY; BEGIN');
  const indexes = indexesOf(database);
  for (const { name } of indexes) database.exec(`DROP INDEX "${name}"`);
  database.exec(`
    create temp table new_runs as
      with recursive numbers(id) as (select 1 union all select id + 1 from numbers where id < ${runs})
      select id, printf('pipeline-%05d', id % ${pipelines}) as name, (id + ${pipelines} - 1) / ${pipelines} as counter, ${BEGAN} + id * 1000 as at from numbers;
    create temp table new_stages as
      with recursive places(place) as (select 0 union all select place + 1 from places where place < ${stages - 1})
      select place, 'stage-' || place as stage from places;
    insert into runs (id, pipeline_key, pipeline, counter, label, trigger, message, approver, comment, scheduled_at, variables, configuration)
      select id, name, name, counter, cast(counter as text), 'changes', 'modified by ann', 'changes', null, at, '[]', 1 from new_runs order by id;
    insert into stage_runs (id, run_id, pipeline_key, stage_key, stage, position, counter, result, approval, approved_by, scheduled_at,
        completed_at, is_latest, rerun_of_counter, cancelled_by, fetch_materials, clean_working_directory, artifacts_deleted, configuration)
      select (id - 1) * ${stages} + place + 1, id, name, stage, stage, place, 1, 'Passed', 'success', 'changes', at, at + 500, 1, null, null, 1, 0, 0, 1
      from new_runs cross join new_stages order by 1;
    insert into jobs (id, stage_run_id, pipeline_key, stage_key, job_key, name, state, result, agent_uuid, pinned_to, scheduled_at,
        completed_at, is_rerun, original_id, epoch, last_report)
      select id, id, pipeline_key, stage_key, 'job-0', 'job-0', 'Completed', 'Passed', null, null, scheduled_at, completed_at, 0, null, 1, 1
      from stage_runs order by id;
    insert into pipeline_counters (key, last) select name, max(counter) from new_runs group by name;
    drop table new_runs; drop table new_stages;`);
  for (const { sql } of indexes) database.exec(sql);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

function indexesOf(database: DatabaseSync): { readonly name: string; readonly sql: string }[] {
  const named = database.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name = ?");
  return TABLES.flatMap((table) => named.all(table).map(({ name, sql }) => ({ name: String(name), sql: String(sql) })));
}
