// The commands that list contexts, choose the current one, rename and delete them.
import { COMMAND } from '../../../kit/process/own-commands.ts';
import { changeContexts } from '../../contexts/change-contexts.ts';
import {
  type Contexts,
  findContext,
  mustBeContextName,
  renamedContext,
  type StoredContext,
  withoutContext,
} from '../../contexts/contexts.ts';
import { readContexts } from '../../contexts/contexts-file.ts';
import { writeListing } from '../../output/listing.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { CommandFailed } from '../../terminal/failures.ts';

interface ListValues {
  readonly output: string | undefined;
}

/** Tokens are not shown. */
export async function runContextList({ values }: ParsedArguments<ListValues>, context: Context): Promise<number> {
  const { current, contexts } = readContexts(context.environment);
  const members = Object.entries(contexts).map(([name, { url, user }]) => ({ name, url, user, is_current: name === current }));
  const listing = {
    key: 'contexts',
    members,
    names: members.map(({ name }) => name),
    table: () => ({
      head: ['current', 'name', 'url', 'user'],
      rows: members.map(({ name, url, user, is_current: isCurrent }) => [isCurrent ? '*' : '', name, url, user]),
    }),
    none: `There are no contexts. Log in with: ${COMMAND} login URL`,
  };
  return writeListing(listing, values, context);
}

export async function runContextUse({ positionals: [name = ''] }: ParsedArguments<object>, context: Context): Promise<number> {
  const { url, user } = await changeKnown(name, (contexts) => ({ ...contexts, current: name }), context);
  context.out.write(`The current context is ${name}: ${url} as ${user}.\n`);
  return 0;
}

export async function runContextRename(
  { positionals: [name = '', next = ''] }: ParsedArguments<object>,
  context: Context,
): Promise<number> {
  mustBeContextName(next);
  await changeKnown(name, (contexts) => renamedContext(contexts, name, next), context);
  context.out.write(`${name} is called ${next} now.\n`);
  return 0;
}

export async function runContextDelete({ positionals: [name = ''] }: ParsedArguments<object>, context: Context): Promise<number> {
  const { token_id: id } = await changeKnown(name, (contexts) => withoutContext(contexts, name), context);
  context.out.write(`${name} is deleted.${id === undefined ? '' : ' Its access token is still valid: logout would have revoked it.'}\n`);
  return 0;
}

export async function runContextCurrent(_: ParsedArguments<object>, context: Context): Promise<number> {
  const kept = findContext(readContexts(context.environment), undefined);
  if (!kept) throw new CommandFailed('No context is current.', { kind: 'notFound' });
  context.out.write(`${kept.name}\n`);
  return 0;
}

/** Returns what the context of this name was before. */
async function changeKnown(name: string, change: (contexts: Contexts) => Contexts, { environment }: Context): Promise<StoredContext> {
  const before = findContext(readContexts(environment), name)!;
  await changeContexts((contexts) => {
    findContext(contexts, name);
    return change(contexts);
  }, environment);
  return before;
}
