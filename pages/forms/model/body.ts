// The body that a form sends: shown fields as typed, and all other members unchanged.
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { chosenNode, type Node, type SecretNode, type TextNode, type TextsNode } from './node.ts';
import { settingBody } from './settings.ts';
import { withoutPasswords } from './without-passwords.ts';

export interface BodyOptions {
  /** Without the secrets that were typed: for drafts in the browser. */
  readonly isForDraft?: boolean;
}

/** undefined: nothing is sent. Does not subscribe to signals: callers need the values of the moment. */
export function bodyOf(node: Node, options: BodyOptions = {}): Json | undefined {
  switch (node.is) {
    case 'text':
      return textBody(node);
    case 'flag':
      return node.value.peek() || node.before !== undefined || node.field.isRequired || node.field.initial !== undefined
        ? node.value.peek()
        : undefined;
    case 'texts': {
      const texts = textsOf(node);
      return texts.length === 0 && node.before === undefined && !node.field.isRequired ? undefined : texts;
    }
    case 'secret':
      return undefined; // It is one of two members; see `membersFor`.
    case 'object': {
      const members = node.members.map((member) => membersFor(member, options));
      const body: JsonObject = Object.assign({}, node.rest, ...members);
      return Object.keys(body).length > 0 || node.field.isRequired || isObject(node.before) ? body : node.before;
    }
    case 'list': {
      const items = node.items.peek().map(({ node: item }) => bodyOf(item, options) ?? {});
      return items.length === 0 && node.before === undefined && !node.field.isRequired ? undefined : items;
    }
    case 'variant':
      return variantBody(node, options);
    case 'settings':
      return node.settings.peek().flatMap((setting) => settingBody(setting, options.isForDraft !== true) ?? []);
  }
}

function textsOf({ texts, typed }: TextsNode): readonly string[] {
  const [added, last] = [texts.peek().filter((text) => text.trim() !== ''), typed.peek().trim()];
  return last === '' || added.includes(last) ? added : [...added, last];
}

/** The body of a whole form: always an object. */
export function formBody(node: Node, options: BodyOptions = {}): JsonObject {
  const typed = bodyOf(node, options);
  const body = options.isForDraft === true && typed !== undefined ? withoutPasswords(typed) : typed;
  return isObject(body) ? body : {};
}

/** The members that a node adds to its object. */
function membersFor(node: Node, options: BodyOptions): JsonObject {
  if (node.is === 'secret') return secretMembers(node, options);
  const body = bodyOf(node, options);
  return body === undefined ? {} : { [node.field.name]: body };
}

function secretMembers({ field, encrypted, typed, flag }: SecretNode, { isForDraft = false }: BodyOptions): JsonObject {
  const text = typed.peek();
  const isSecret = flag === undefined || flag.value.peek();
  if (!isSecret) return { [field.name]: text ?? '' };
  if (text !== undefined && !isForDraft) return text === '' ? {} : { [field.name]: text };
  return encrypted === undefined ? {} : { [field.encrypted]: encrypted };
}

function variantBody(node: Extract<Node, { is: 'variant' }>, options: BodyOptions): Json | undefined {
  const chosen = chosenNode(node);
  // Of a choice that the description does not know, nothing is shown, and nothing is lost.
  const body = chosen === undefined ? node.before : bodyOf(chosen, options);
  if (node.field.isChosenBeside) return body;
  return { ...(isObject(body) ? body : {}), [node.field.discriminator]: node.choice.peek() };
}

function textBody({ field, text, before }: TextNode): Json | undefined {
  const typed = text.peek();
  if (typed === '') return emptyBody(field, before);
  if (field.kind === 'number') return Number.isFinite(Number(typed)) ? Number(typed) : typed;
  if (field.kind === 'json') return jsonIn(typed);
  return typed;
}

/** An absent value stays absent; a cleared value is null where that is allowed. The server refuses empty values of required fields. */
function emptyBody(field: TextNode['field'], before: Json | undefined): Json | undefined {
  if (before === null || field.kind === 'json') return before === null ? null : undefined;
  if ('isNullable' in field && field.isNullable && before !== undefined) return null;
  if (field.kind === 'number') return undefined;
  return before === undefined && !field.isRequired ? undefined : '';
}

/** Text that is no JSON is sent as text: the server answers with the reason. */
function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
