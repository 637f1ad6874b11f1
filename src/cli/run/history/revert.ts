// The command that reverts a revision, or brings one entity back to an earlier state, after a preview of the changes.
import type { JsonObject } from '../../../shape/json/json.ts';
import { answerOf, askServer, sending } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import { type Context, type Paint, painter } from '../../terminal/context.ts';
import { CommandFailed, kindOfStatus, refusalText, UsageError } from '../../terminal/failures.ts';
import { confirm } from '../../terminal/prompt.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import { planText } from '../plan-text.ts';
import { nameOf, subjectNamed } from '../resources/forms.ts';
import type { Reversal } from './answers.ts';
import { entityRevertPath, revisionRevertPath } from './paths.ts';

interface RevertValues extends ServerValues {
  readonly to: string | undefined;
  readonly yes: boolean;
  readonly 'dry-run': boolean;
  readonly reason: string | undefined;
}

interface Order {
  readonly path: string;
  readonly body: JsonObject;
  readonly question: string;
}

const REVISION = /^[1-9]\d{0,14}$/;

export async function runRevert({ values, positionals }: ParsedArguments<RevertValues>, context: Context): Promise<number> {
  const server = serverOf(values, context);
  const order = await orderIn(positionals, values, server);
  const needsConsent = !values.yes && !values['dry-run'];
  if (needsConsent && !context.input.isTTY) throw new UsageError('There is no terminal to ask for consent: give --yes.');
  if (needsConsent || values['dry-run']) {
    const { answer } = await post(server, `${order.path}?dry_run=true`, order, values);
    const stream = needsConsent ? context.err : context.out;
    stream.write(reversalText(answer, painter(context, stream)));
    if (values['dry-run'] || answer.changes.length === 0) return 0;
    if (!(await confirm(order.question, context))) throw new CommandFailed('Nothing was changed.');
  }
  const { answer, revision } = await post(server, order.path, order, values);
  if (values.yes) context.out.write(reversalText(answer, painter(context, context.out)));
  if (revision !== null) context.out.write(`Done, as revision ${revision}.\n`);
  return 0;
}

async function orderIn([first = '', id]: readonly string[], { to }: RevertValues, server: RemoteServer): Promise<Order> {
  if (to === undefined) {
    if (id !== undefined) throw new UsageError('Say which revision it is to be as: give --to REVISION.');
    if (!REVISION.test(first))
      throw new UsageError(`REVISION must be a number, such as 42, not '${first}'. For one thing: RESOURCE ID --to REVISION`);
    return { path: revisionRevertPath(first), body: {}, question: `Take back revision ${first}?` };
  }
  if (!REVISION.test(to)) throw new UsageError(`--to must be the number of a revision, not '${to}'.`);
  const subject = await subjectNamed(server, first, id);
  return { path: entityRevertPath(subject), body: { revision: Number(to) }, question: `Bring ${nameOf(subject)} back to revision ${to}?` };
}

async function post(server: RemoteServer, path: string, { body }: Order, { reason }: RevertValues) {
  const response = await askServer(server, path, sending('POST', body, reason));
  const answer = await answerOf<Reversal & RefusalBody>(response, server);
  if (!response.ok) throw refused(server, response.status, answer);
  return { answer, revision: response.headers.get('x-svc-revision') };
}

interface RefusalBody {
  readonly message?: string;
  readonly data?: {
    readonly obstacles?: readonly { readonly message: string; readonly revision: number | null; readonly actor: string | null }[];
  };
}

function refused({ url }: RemoteServer, status: number, { message, data }: RefusalBody): CommandFailed {
  const obstacles = (data?.obstacles ?? []).map(({ message: why, revision, actor }) => {
    const by = revision === null ? '' : ` (revision ${revision}${actor === null ? '' : `, ${actor}`})`;
    return `\n  ${why}${by}`;
  });
  return new CommandFailed(`${refusalText(url, status, message)}${obstacles.join('')}`, { kind: kindOfStatus(status) });
}

function reversalText({ changes, left_out: left }: Reversal, paint: Paint): string {
  const ignored = left.map(({ resource, id, message }) => ({ what: [resource, id].filter(Boolean).join(' '), why: message }));
  return planText({ changes, affected: [], ignored }, paint);
}
