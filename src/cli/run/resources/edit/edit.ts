// The command that opens one entity in an editor, shows the changes, and saves it. No typed text is lost.
import { isObject, type JsonObject } from '../../../../shape/json/json.ts';
import { readStructured } from '../../../files/structured-file.ts';
import type { ParsedArguments } from '../../../terminal/command.ts';
import { type Context, painter } from '../../../terminal/context.ts';
import { CommandFailed } from '../../../terminal/failures.ts';
import { askLine } from '../../../terminal/prompt.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../../terminal/target.ts';
import { describeForm, nameOf, type Subject, subjectNamed } from '../forms.ts';
import { previewText } from '../preview.ts';
import { problemsIn } from '../problems.ts';
import { type Change, ChangeRefused, makeChange, previewChange, readEntity } from '../requests.ts';
import { conflictIn } from './conflict.ts';
import { EditedFile } from './edited-file.ts';
import { editableText, withNotes, withoutNotes } from './notes.ts';

interface EditValues extends ServerValues {
  readonly yes: boolean;
  readonly 'dry-run': boolean;
  readonly reason: string | undefined;
}

interface Session {
  readonly server: RemoteServer;
  readonly subject: Subject;
  readonly values: EditValues;
  readonly context: Context;
}

interface Round {
  readonly notes: readonly string[];
  /** The version that is changed. */
  readonly etag: string | undefined;
  /** Whether the text cannot stay as it is. */
  readonly isWrong?: true;
}

/** The outcome of an edited text: it is done with, or it is edited again. */
type Outcome = 'done' | Round;

const INVALID = 422;
const STALE = 412;
/** A program that changes the text each time, but never to a good one, would be started for ever. */
const MAX_WRONG = 10;
const CANCELLED = 'Nothing was changed.';

export async function runEdit({ values, positionals: [word = '', id] }: ParsedArguments<EditValues>, context: Context): Promise<number> {
  const server = serverOf(values, context);
  const subject = await subjectNamed(server, word, id);
  const [{ schema }, { value, etag }] = await Promise.all([describeForm(server, subject.form), readEntity(server, subject)]);
  const file = new EditedFile(id ?? subject.form.resource, context);
  try {
    await editUntilDone({ server, subject, values, context }, file, editableText(value, schema), etag);
  } catch (failure) {
    if (!file.isTouched) file.remove();
    else if (failure instanceof CommandFailed)
      throw new CommandFailed(`${failure.message}\nYour text is kept in ${file.path}`, { kind: failure.kind, cause: failure });
    throw failure;
  }
  file.remove();
  return 0;
}

async function editUntilDone(session: Session, file: EditedFile, original: string, version: string | undefined): Promise<void> {
  const { subject, context } = session;
  const introduction = [`${nameOf(subject)} on ${session.server.url}. Save and close it to go on; an empty file changes nothing.`];
  let [round, text]: [Round, string] = [{ notes: introduction, etag: version }, original];
  for (let wrong = 0; ; ) {
    const edited = withoutNotes(await file.edit(withNotes(round.notes, text)));
    if (edited.trim() === '' || edited === original) {
      context.out.write(`${CANCELLED}\n`);
      return;
    }
    // An editor that leaves it as it is would be opened for ever.
    if (round.isWrong && edited === text) throw new CommandFailed(`${round.notes.join('\n')}\n${CANCELLED}`);
    text = edited;
    const outcome = await tryToSave(session, text, round.etag);
    if (outcome === 'done') return;
    wrong = outcome.isWrong ? wrong + 1 : 0;
    if (wrong === MAX_WRONG) throw new CommandFailed([...outcome.notes, `The text was wrong ${wrong} times. ${CANCELLED}`].join('\n'));
    round = outcome;
  }
}

async function tryToSave(session: Session, text: string, etag: string | undefined): Promise<Outcome> {
  const { server, subject, values, context } = session;
  const body = bodyIn(text);
  if (typeof body === 'string') return { notes: [body], etag, isWrong: true };
  const change: Change = { method: 'PUT', subject, body, etag, reason: values.reason };
  try {
    const plan = await previewChange(server, change);
    context.out.write(previewText(plan, painter(context, context.out)));
    if (values['dry-run'] || plan.changes.length === 0) return 'done';
    if (!values.yes && (await answer('Save it? [y]es, [e]dit again, [N]o ', 'ye', context)) === 'e')
      return { notes: ['Edit it again.'], etag };
    await save(session, change);
    return 'done';
  } catch (failure) {
    if (!(failure instanceof ChangeRefused)) throw failure;
    if (failure.status === INVALID)
      return { notes: [`Refused: ${String(failure.answer.message)}`, ...problemsIn(failure.answer)], etag, isWrong: true };
    if (failure.status !== STALE) throw failure;
    return resolveConflict(session, change, failure);
  }
}

/** A sentence where there is none. */
function bodyIn(text: string): JsonObject | string {
  try {
    const content = readStructured('The text below, line', text);
    return isObject(content) ? content : 'It must be a map: names, and what they are.';
  } catch (failure) {
    if (failure instanceof CommandFailed) return failure.message;
    throw failure;
  }
}

async function save({ server, context }: Session, change: Change): Promise<void> {
  const { revision } = await makeChange(server, change);
  context.out.write(revision === undefined ? 'Nothing changed.\n' : `Saved, as revision ${revision}.\n`);
}

async function resolveConflict(session: Session, change: Change, refusal: ChangeRefused): Promise<Outcome> {
  const { server, subject, values, context } = session;
  const { lines, canBeMerged } = conflictIn(refusal.answer);
  if (values.yes || !context.input.isTTY) throw new CommandFailed([...lines, CANCELLED].join('\n'), { kind: 'conflict', cause: refusal });
  context.err.write(`${lines.join('\n')}\n`);
  const edit = '[e]dit on top of theirs, [N]o ';
  const chosen = await (canBeMerged ? answer(`[m]erge both, ${edit}`, 'me', context) : answer(edit, 'e', context));
  if (chosen === 'm') {
    await save(session, { ...change, isMerged: true });
    return 'done';
  }
  const { etag } = await readEntity(server, subject);
  return { notes: [...lines, 'This is your text. Saving it replaces what is there now.'], etag };
}

/** The letter that was chosen, of these. Anything else ends it. */
async function answer(question: string, letters: string, context: Context): Promise<string> {
  if (!context.input.isTTY) throw new CommandFailed(`There is no terminal to ask for consent: give --yes. ${CANCELLED}`);
  const [letter] = (await askLine(question, context)).toLowerCase();
  if (letter !== undefined && letters.includes(letter)) return letter;
  throw new CommandFailed(CANCELLED);
}
