// The forms of the resources that the server has: the command line knows no resource by itself.
import { COMMAND } from '../../../kit/process/own-commands.ts';
import { closest } from '../../../kit/text/closest.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { fetchJson } from '../../terminal/ask-server.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import type { RemoteServer } from '../../terminal/target.ts';

const FORMS_PATH = '/api/forms';

export interface Form {
  readonly resource: string;
  readonly title: string;
  readonly singular: string;
  readonly about: string;
  readonly is_singleton: boolean;
  readonly can_delete: boolean;
  readonly path: string;
  readonly version: number;
  readonly address_field: string | null;
  readonly name_field: string | null;
  readonly list_key: string | null;
  /** Where a new one is sent as a member of an object. */
  readonly created_as: { readonly member: string; readonly beside: readonly string[] } | null;
}

/** A JSON schema, as far as commands look into it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly readOnly?: boolean;
  readonly 'x-secret'?: string;
}

export interface DescribedForm extends Form {
  readonly schema: Schema;
  readonly example: JsonObject;
}

export async function readForms(server: RemoteServer, ask?: RequestInit): Promise<readonly Form[]> {
  return (await fetchJson<{ readonly forms: readonly Form[] }>(server, FORMS_PATH, ask)).forms;
}

export function describeForm(server: RemoteServer, { resource }: Form): Promise<DescribedForm> {
  return fetchJson<DescribedForm>(server, `${FORMS_PATH}/${encodeURIComponent(resource)}`);
}

/** One thing that a command line names. */
export interface Subject {
  readonly form: Form;
  /** Undefined: there is only one. */
  readonly id: string | undefined;
}

export async function formNamed(server: RemoteServer, word: string): Promise<Form> {
  return matchForm(await readForms(server), word);
}

/** A member of a collection needs an id, and a singleton must not have one. */
export async function subjectNamed(server: RemoteServer, word: string, id: string | undefined): Promise<Subject> {
  const form = await formNamed(server, word);
  if (form.is_singleton && id !== undefined) throw new UsageError(`There is only one ${form.singular}: leave '${id}' out.`);
  if (!form.is_singleton && id === undefined) throw new UsageError(`There are several ${form.title.toLowerCase()}: name one of them.`);
  return { form, id };
}

/** Singular or plural, with hyphens, underscores or blanks. */
export function matchForm(forms: readonly Form[], word: string): Form {
  const wanted = plain(word);
  const found = forms.find((form) => plain(form.resource) === wanted) ?? forms.find((form) => namesOf(form).includes(wanted));
  if (found) return found;
  const known = new Map(forms.flatMap((form) => namesOf(form).map((name) => [name, form.resource] as const)));
  const meant = closest(wanted, known.keys());
  const hint = meant === undefined ? `See all with: ${COMMAND} list` : `Did you mean ${known.get(meant)}?`;
  throw new CommandFailed(`There is no resource called ${word}. ${hint}`, { kind: 'notFound' });
}

function namesOf({ resource, title, singular }: Form): readonly string[] {
  const names = [resource, title, singular].map(plain);
  return [...names, ...names.filter((name) => name.endsWith('s')).map((name) => name.slice(0, -1))];
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s-]+/g, '_');
}

export function nameOf({ form, id }: Subject): string {
  return id === undefined ? form.singular : `${form.singular} ${id}`;
}

export function pathOf({ form, id }: Subject): string {
  return id === undefined ? form.path : `${form.path}/${encodeURIComponent(id)}`;
}

/** The request body that creates an entity that `get` would show as `body`. */
export function creationBody({ created_as: wrapper }: Form, body: JsonObject): JsonObject {
  if (wrapper === null) return body;
  const members = Object.entries(body);
  const inside = members.filter(([name]) => !wrapper.beside.includes(name));
  return { ...Object.fromEntries(members.filter(([name]) => wrapper.beside.includes(name))), [wrapper.member]: Object.fromEntries(inside) };
}
