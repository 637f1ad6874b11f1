// Contexts: servers of the user, each with a login, and which of them is current.
import { COMMAND } from '../../kit/process/own-commands.ts';
import { closest } from '../../kit/text/closest.ts';
import { UsageError } from '../terminal/failures.ts';

export interface StoredContext {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  /** Of a token that `login` has created, and `logout` revokes. */
  readonly token_id?: number;
  readonly ca_file?: string;
}

export interface Contexts {
  /** null: none. */
  readonly current: string | null;
  readonly contexts: Readonly<Record<string, StoredContext>>;
}

export const NO_CONTEXTS: Contexts = { current: null, contexts: {} };

const NAME = /^[\w.:@-]{1,100}$/;

export function mustBeContextName(name: string): void {
  if (!NAME.test(name) || name.startsWith('-'))
    throw new UsageError(`'${name.slice(0, 100)}' cannot name a context: up to 100 letters, digits and . : @ _ -`);
}

/** The one of this name, or the current one; undefined: none is current. */
export function findContext(
  { current, contexts }: Contexts,
  name: string | undefined,
): (StoredContext & { readonly name: string }) | undefined {
  const wanted = name ?? current ?? undefined;
  if (wanted === undefined) return undefined;
  const found = Object.hasOwn(contexts, wanted) ? contexts[wanted] : undefined;
  if (!found) throw new UsageError(unknownContext(wanted, Object.keys(contexts)));
  return { name: wanted, ...found };
}

function unknownContext(name: string, known: readonly string[]): string {
  const meant = closest(name, known);
  if (meant !== undefined) return `There is no context ${name}. Did you mean ${meant}?`;
  return `There is no context ${name}. ${known.length === 0 ? `Log in with: ${COMMAND} login URL` : `There are: ${known.join(', ')}.`}`;
}

/** With this one, which becomes the current one. */
export function withContext({ contexts }: Contexts, name: string, context: StoredContext): Contexts {
  return { current: name, contexts: { ...contexts, [name]: context } };
}

export function withoutContext({ current, contexts }: Contexts, name: string): Contexts {
  const { [name]: _, ...rest } = contexts;
  return { current: current === name ? null : current, contexts: rest };
}

export function renamedContext({ current, contexts }: Contexts, name: string, next: string): Contexts {
  if (Object.hasOwn(contexts, next)) throw new UsageError(`There is a context ${next} already.`);
  const entries = Object.entries(contexts).map(([one, context]) => [one === name ? next : one, context] as const);
  return { current: current === name ? next : current, contexts: Object.fromEntries(entries) };
}

/** The name of a server unless the user gives another: its host and path. */
export function defaultName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host.replaceAll(/[[\]]/g, '')}${pathname.replace(/\/+$/, '').replaceAll('/', '-')}`;
}
