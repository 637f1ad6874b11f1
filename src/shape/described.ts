// The description of a field for people, in the documentation and in forms.
import type { JsonSchema } from './json/json.ts';

/** How a text is written, where a form can offer more than a line. */
export type TextFormat = 'cron' | 'email' | 'login' | 'minutes' | 'multiline' | 'path' | 'uri';

/** The possible values, each with its label. */
export type Choices = Readonly<Record<string, string>>;

/** The help that a form can offer for a value. */
export interface FormHelp {
  /** The usual values. Whether others are refused is up to the rules. */
  readonly choices?: Choices;
  readonly format?: TextFormat;
  /** The resource whose ids can be chosen, as addresses name it. */
  readonly refersTo?: string;
}

export interface FieldDescription extends FormHelp {
  readonly description: string;
  readonly example?: string;
  /** The label, where it does not follow from the name. */
  readonly label?: string;
  /** The text of forms instead of the description, where that speaks of members and values of the API. */
  readonly hint?: string;
}

/** The members of the schema of a field that is described so. */
export function describedBy(described: FieldDescription): JsonSchema {
  return { ...annotationsOf(described), ...offered(described) };
}

/** The members of the schema of a list: the choices and the format are those of its items. */
export function describedItems(described: FieldDescription, item: JsonSchema): JsonSchema {
  return { items: { ...item, ...offered(described) }, ...annotationsOf(described) };
}

function offered({ choices, format, refersTo }: FormHelp): JsonSchema {
  return {
    ...(choices && { 'x-choices': choiceList(choices) }),
    ...(format && { 'x-format': format }),
    ...(refersTo && { 'x-refers-to': refersTo }),
  };
}

/** In the order in which they are declared. */
export function choiceList(choices: Choices): readonly { readonly value: string; readonly label: string }[] {
  return Object.entries(choices).map(([value, label]) => ({ value, label }));
}

function annotationsOf({ description, example, label, hint }: FieldDescription): JsonSchema {
  return {
    description,
    ...(example !== undefined && { example }),
    ...(label !== undefined && { 'x-label': label }),
    ...(hint !== undefined && { 'x-hint': hint }),
  };
}
