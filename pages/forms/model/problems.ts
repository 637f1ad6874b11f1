// Problems that the server found in a body, beside their fields.
import { isObject, type Json, type JsonObject, textOf } from '../../api/json.ts';
import { singularOf } from '../schema/fields.ts';
import { chosenNode, type Node, type ObjectNode } from './node.ts';

/** The server repeats the sent body, with `errors` in each object that has some: by the names of its members. */
export function assignProblems(root: Node, answer: Json | undefined): string[] {
  clearProblems(root);
  const sent = isObject(answer) ? sentIn(answer) : undefined;
  const left = sent === undefined ? [] : assignTo(root, sent);
  return [...new Set(left)];
}

/** Under `data`, for most; beside the message, or under the name of the checked entity, for some. */
function sentIn(answer: JsonObject): JsonObject {
  if (isObject(answer.data)) return answer.data;
  if (isObject(answer.errors)) return answer;
  return Object.values(answer).find((value): value is JsonObject => isObject(value)) ?? answer;
}

/** Returns the problems without a field. */
function assignTo(node: Node, sent: Json): string[] {
  if (node.is === 'variant') return assignToVariant(node, sent);
  if (node.is === 'list' && Array.isArray(sent)) {
    const items = node.items.peek();
    return sent.flatMap((one: Json, at) => (items[at] === undefined ? messagesIn(one) : assignTo(items[at].node, one)));
  }
  if (node.is === 'settings' && Array.isArray(sent)) return sent.flatMap((one: Json) => assignToSetting(node, one));
  if (node.is !== 'object' || !isObject(sent)) return [];
  const left = entriesOf(sent.errors).flatMap(([name, messages]) => {
    const problems = problemsOfMember(node, name);
    if (problems === undefined) return messages.map((message) => `${message}`);
    problems.value = [...problems.peek(), ...messages];
    return [];
  });
  return [...left, ...node.members.flatMap((member) => assignTo(member, sent[member.field.name] ?? null))];
}

/** Problems of the choice stand beside it. */
function assignToVariant(node: Extract<Node, { is: 'variant' }>, sent: Json): string[] {
  const chosen = chosenNode(node);
  const errors = isObject(sent) ? entriesOf(sent.errors) : [];
  const isOfChoice = (name: string): boolean => chosen === undefined || name === node.field.discriminator;
  node.problems.value = errors.flatMap(([name, messages]) => (isOfChoice(name) ? messages : []));
  const others = Object.fromEntries(errors.filter(([name]) => !isOfChoice(name)));
  return chosen === undefined ? [] : assignTo(chosen, isObject(sent) ? { ...sent, errors: others } : sent);
}

type ProblemsSignal = Node['problems'];

function problemsOfMember({ members }: Extract<Node, { is: 'object' }>, name: string): ProblemsSignal | undefined {
  const plain = plainName(name);
  const own = members.find(({ is, field }) => plainName(field.name) === plain || (is === 'secret' && plainName(field.encrypted) === plain));
  if (own !== undefined) return own.problems;
  for (const member of members) {
    const setting = member.is === 'settings' ? problemsOfSetting(member, name) : undefined;
    if (setting !== undefined) return setting;
  }
  return undefined;
}

/** Members are named as in bodies, or in camel case. */
function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function problemsOfSetting({ settings }: Extract<Node, { is: 'settings' }>, key: string): ProblemsSignal | undefined {
  return settings.peek().find((setting) => setting.key.peek().toLowerCase() === key.toLowerCase())?.problems;
}

function assignToSetting(node: Extract<Node, { is: 'settings' }>, sent: Json): string[] {
  const messages = messagesIn(sent);
  const problems = isObject(sent) ? problemsOfSetting(node, textOf(sent.key)) : undefined;
  if (problems === undefined) return messages;
  if (messages.length > 0) problems.value = [...new Set([...problems.peek(), ...messages])];
  return [];
}

function messagesIn(sent: Json): string[] {
  return isObject(sent) ? entriesOf(sent.errors).flatMap(([, messages]) => messages) : [];
}

function entriesOf(errors: Json | undefined): [string, readonly string[]][] {
  if (!isObject(errors)) return [];
  return Object.entries(errors).map(([name, messages]) => [name, (Array.isArray(messages) ? messages : [messages]).map(textOf)]);
}

/** The fields that have problems, by their labels: `Rule 2 › Names`. Components that show them are drawn again when they change. */
export function wrongFields(root: ObjectNode): readonly string[] {
  return [...new Set(wrongIn(root, []))];
}

/** `here` is the label of the node, with the labels around it. */
function* wrongIn(node: Node, here: readonly string[]): Generator<string> {
  const around = here.slice(0, -1);
  if (node.problems.value.length > 0) yield here.join(' › ');
  if (node.is === 'object') for (const member of node.members) yield* wrongIn(member, [...here, member.field.label]);
  if (node.is === 'list')
    for (const [at, { node: item }] of node.items.value.entries())
      yield* wrongIn(item, [...around, `${singularOf(node.field.label)} ${at + 1}`]);
  // The members of the chosen variant stand beside the choice.
  if (node.is === 'variant') for (const one of node.nodes.values()) yield* wrongIn(one, one.is === 'object' ? around : here);
  if (node.is === 'settings')
    for (const { key, label, problems } of node.settings.value)
      if (problems.value.length > 0) yield [...around, label.value ?? key.value].join(' › ');
}

/** Whether something in it has a problem; components that read it are drawn again when that changes. */
export function hasProblemsNow(node: Node): boolean {
  // Each signal is read: the component subscribes only to signals that it reads.
  return [...problemSignalsIn(node)].filter((problems) => problems.value.length > 0).length > 0;
}

export function clearProblems(node: Node): void {
  for (const problems of problemSignalsIn(node)) if (problems.peek().length > 0) problems.value = [];
}

function* problemSignalsIn(node: Node): Generator<ProblemsSignal> {
  yield node.problems;
  if (node.is === 'object') for (const member of node.members) yield* problemSignalsIn(member);
  if (node.is === 'list') for (const { node: item } of node.items.peek()) yield* problemSignalsIn(item);
  if (node.is === 'variant') for (const one of node.nodes.values()) yield* problemSignalsIn(one);
  if (node.is === 'settings') for (const { problems } of node.settings.peek()) yield problems;
}
