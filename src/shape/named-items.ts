// A list whose members have a name of their own in the documentation, where they are described once.
import type { Field, MemberSchemas } from './field.ts';

export function namedItems<T>(field: Field<T>, title: string): Field<T> {
  const named = (schemas: MemberSchemas, name: string): MemberSchemas =>
    Object.fromEntries(Object.entries(schemas).map(([member, schema]) => [member, { ...schema, items: { title: name, ...schema.items } }]));
  return {
    ...field,
    describe: (name) => {
      const { request, response, ...rest } = field.describe(name);
      return { request: named(request, `${title} request`), response: named(response, title), ...rest };
    },
  };
}
