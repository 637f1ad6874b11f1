// The command that shows the changes of the configuration, with actor, time and reason.
import { writeListing } from '../../output/listing.ts';
import { outputIn, withoutLinks } from '../../output/output.ts';
import { shownText } from '../../output/shown-text.ts';
import { fetchJson } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import { type Context, type Paint, painter } from '../../terminal/context.ts';
import { UsageError } from '../../terminal/failures.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import { formNamed } from '../resources/forms.ts';
import type { Revision, RevisionList } from './answers.ts';
import { entityHistoryPath, REVISIONS_PATH } from './paths.ts';

const MAX_PAGE_SIZE = 500;

interface HistoryValues extends ServerValues {
  readonly limit: string | undefined;
  readonly output: string | undefined;
}

export async function runHistory({ values, positionals: [word, id] }: ParsedArguments<HistoryValues>, context: Context): Promise<number> {
  const size = limitIn(values);
  const server = serverOf(values, context);
  const { path, isOfOne } = await pathFor(server, word, id);
  const { revisions } = (await fetchJson<RevisionList>(server, `${path}${path.includes('?') ? '&' : '?'}page_size=${size}`))._embedded;
  if (isOfOne && outputIn(values, 'table') === 'table') {
    const paint = painter(context, context.out);
    context.out.write(revisions.map((one) => entryText(one, paint)).join(''));
    return 0;
  }
  const listing = {
    key: 'revisions',
    members: revisions.map((one) => withoutLinks(one)),
    names: revisions.map(({ revision }) => String(revision)),
    table: () => ({ head: ['revision', 'time', 'who', 'what', 'name', 'reason'], rows: revisions.map(rowOf) }),
    none: 'There are no revisions.',
  };
  return writeListing(listing, values, context);
}

function limitIn({ limit = '20' }: HistoryValues): number {
  if (/^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= MAX_PAGE_SIZE) return Number(limit);
  throw new UsageError(`--limit must be a number from 1 to ${MAX_PAGE_SIZE}, not '${limit}'.`);
}

async function pathFor(server: RemoteServer, word: string | undefined, id: string | undefined) {
  if (word === undefined) return { path: REVISIONS_PATH, isOfOne: false };
  const form = await formNamed(server, word);
  if (form.is_singleton && id !== undefined) throw new UsageError(`There is only one ${form.singular}: leave '${id}' out.`);
  if (!form.is_singleton && id === undefined) return { path: `${REVISIONS_PATH}?resource=${form.resource}`, isOfOne: false };
  return { path: entityHistoryPath({ form, id }), isOfOne: true };
}

function rowOf({ revision, time, actor, reason, name, changes = [], change_count: count }: Revision): readonly string[] {
  const more = count > changes.length ? ` and ${count - changes.length} more` : '';
  const summary = changes.map(({ operation, resource, id }) => [operation, resource, id].filter(Boolean).join(' ')).join(', ');
  return [String(revision), time, actor, `${summary}${more}`, name ?? '', reason ?? ''];
}

/** One change of one thing, field by field. */
function entryText({ revision, time, actor, operation, reason, differences }: Revision, paint: Paint): string {
  const head = paint('bold', shownText([`revision ${revision}`, time, actor, operation].join('  ')));
  const why = reason === null ? [] : [`  reason: ${reason}`];
  const lines = (differences ?? [{ words: 'the values are not kept any more' }]).map(({ words }) => `  ${words.replaceAll('\n', '\n  ')}`);
  return [head, ...[...why, ...lines].map(shownText), ''].join('\n');
}
