// Messages about config repos had no limit once: texts that no answer has room for are shortened, or replaced.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Each in bytes. Nothing that is written today is longer. */
const MAX_LIST_BYTES = 1_000_000;
const MAX_TEXT_BYTES = 1_000_000;
const KEPT_CHARACTERS = 100_000;

const TOO_LONG = JSON.stringify([
  {
    file: null,
    line: null,
    column: null,
    entity: null,
    message: 'What was told here was too long to be kept.',
    hint: 'Ask for an update of the config repo to be told anew.',
  },
]);

export async function shortTexts(query: Kysely<Tables>): Promise<void> {
  for (const list of ['errors', 'warnings'] as const) {
    await query
      .updateTable('config_repo_parses')
      .set({ [list]: TOO_LONG })
      .where(sql<number>`octet_length(${sql.ref(list)})`, '>', MAX_LIST_BYTES)
      .execute();
  }
  for (const text of ['message', 'detail'] as const) {
    await query
      .updateTable('config_repo_states')
      .set({ [text]: sql<string>`substr(${sql.ref(text)}, 1, ${sql.lit(KEPT_CHARACTERS)}) || ${sql.lit('…')}` })
      .where(sql<number>`octet_length(${sql.ref(text)})`, '>', MAX_TEXT_BYTES)
      .execute();
  }
}
