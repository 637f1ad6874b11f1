// Schemas and responses that several operations of the OpenAPI description share are written once, as components, and referred to.
import type { JsonSchema } from '../../shape/json/json.ts';

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'What is wrong, in words.' },
    data: {
      type: 'object',
      additionalProperties: true,
      description: 'The object as sent, with `errors` beside the fields they belong to.',
    },
    supported: { type: 'array', items: { type: 'string' }, description: 'Media types that would have worked.' },
  },
  additionalProperties: true,
};

/** Collects components under their names; of two that want the same name but differ, the second stays where it is. */
export class Components {
  readonly schemas: Record<string, unknown> = {};
  readonly responses: Record<string, unknown> = {};

  /** The value with a reference in place of every schema that has a title. */
  shareSchemas(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.shareSchemas(item));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, DATA.has(key) ? member : this.shareSchemas(member)]),
    );
    return typeof members.title === 'string' ? this.#share(members, nameOf(members.title)) : members;
  }

  /** The description of a schema differs by place, so it is put beside the reference. */
  #share({ description, ...schema }: Readonly<Record<string, unknown>>, name: string): unknown {
    const shared = refer(this.schemas, 'schemas', name, schema);
    return description === undefined ? shared : { ...(shared as object), description };
  }

  /** The answers of one operation, with references in place of those that other operations give, too. */
  shareFailures(responses: Readonly<Record<string, unknown>>, version: number | null): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        Number(status) < 400 ? response : refer(this.responses, 'responses', `${status}-v${version ?? 1}`, response),
      ]),
    );
  }
}

function refer(known: Record<string, unknown>, kind: string, name: string, component: unknown): unknown {
  const first = (known[name] ??= component);
  return JSON.stringify(first) === JSON.stringify(component) ? { $ref: `#/components/${kind}/${name}` } : component;
}

/** The values of these keywords are data, even if their members look like schemas. */
const DATA = new Set(['example', 'default', 'const', 'enum']);

function nameOf(title: string): string {
  return title.replace(/[^a-zA-Z0-9]*([a-zA-Z0-9]+)/g, (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1));
}
