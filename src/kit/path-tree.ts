// Finds the value for a path by patterns such as `/users/:name`, `/files/:name.zip` or `/files/*path`.
// A step that is spelled out counts before a parameter, one with an ending before one without, and a single step before all that follow.

interface Node<T> {
  readonly steps: Map<string, Node<T>>;
  /** By the ending of the step, the longest first. */
  readonly parameters: Map<string, Node<T>>;
  found?: TreeMatch<T>;
  /** Any further steps, at least one. */
  rest?: TreeMatch<T>;
}

interface TreeMatch<T> {
  readonly value: T;
  readonly names: readonly string[];
}

const PARAMETER = /^:(\w+)(.*)$/;
const REST = /^\*(\w+)$/;

export interface FoundPath<T> {
  readonly value: T;
  /** Decoded, by the names that the path gives them. */
  readonly params: Readonly<Record<string, string>>;
}

export class PathTree<T> {
  readonly #root: Node<T> = newNode();
  readonly #maxParameterLength: number;

  constructor(maxParameterLength: number) {
    this.#maxParameterLength = maxParameterLength;
  }

  add(path: string, value: T): void {
    const names: string[] = [];
    let node = this.#root;
    for (const step of stepsOf(path)) {
      const [, rest] = REST.exec(step) ?? [];
      if (rest !== undefined) {
        if (node.rest) throw new Error(`Two things have the path ${path}.`);
        node.rest = { value, names: [...names, rest] };
        return;
      }
      const [, name, ending = ''] = PARAMETER.exec(step) ?? [];
      if (name !== undefined) names.push(name);
      node = name === undefined ? node.steps.getOrInsertComputed(step, newNode<T>) : parameterOf(node, ending);
    }
    if (node.found) throw new Error(`Two things have the path ${path}.`);
    node.found = { value, names };
  }

  /** The path without a query; a slash at its end does not count. Undefined: nothing has it, or it is not encoded as paths are. */
  find(path: string): FoundPath<T> | undefined {
    const steps = path.startsWith('/') ? decoded(stepsOf(path)) : undefined;
    if (!steps) return undefined;
    const values: string[] = [];
    const found = this.#walk(this.#root, steps, 0, values);
    return found && { value: found.value, params: Object.fromEntries(found.names.map((name, index) => [name, values[index]!])) };
  }

  #walk(node: Node<T>, steps: readonly string[], at: number, values: string[]): TreeMatch<T> | undefined {
    const step = steps[at];
    if (step === undefined) return node.found;
    const next = node.steps.get(step);
    const found = next && this.#walk(next, steps, at + 1, values);
    if (found) return found;
    for (const [ending, child] of node.parameters) {
      const value = step.endsWith(ending) ? step.slice(0, step.length - ending.length) : '';
      if (value === '' || value.length > this.#maxParameterLength) continue;
      values.push(value);
      const foundBelow = this.#walk(child, steps, at + 1, values);
      if (foundBelow) return foundBelow;
      values.pop();
    }
    if (node.rest) values.push(steps.slice(at).join('/'));
    return node.rest;
  }
}

function parameterOf<T>({ parameters }: Node<T>, ending: string): Node<T> {
  const known = parameters.get(ending);
  if (known) return known;
  const added = newNode<T>();
  const all = [...parameters, [ending, added] as const].toSorted(([one], [other]) => other.length - one.length);
  parameters.clear();
  for (const [key, node] of all) parameters.set(key, node);
  return added;
}

function newNode<T>(): Node<T> {
  return { steps: new Map(), parameters: new Map() };
}

function stepsOf(path: string): readonly string[] {
  const end = path.length > 1 && path.endsWith('/') ? -1 : undefined;
  return path.slice(1, end).split('/');
}

function decoded(steps: readonly string[]): readonly string[] | undefined {
  try {
    return steps.map((step) => (step.includes('%') ? decodeURIComponent(step) : step));
  } catch {
    return undefined; // not the bytes of a text
  }
}
