// A field of a pipeline whose texts may use the parameters of the pipeline: the final address depends on them.
import type { Field } from '../../shape/field.ts';
import { isObject, type Json, scalarText } from '../../shape/json/json.ts';
import type { Parameter } from './replacement.ts';
import { resolvedText } from './resolved.ts';

export function withParameters<T>(field: Field<T>): Field<T> {
  return {
    ...field,
    read: (cursor, name) => {
      const parameters = parametersIn(cursor.holder.parameters);
      return field.read({ ...cursor, reading: { ...cursor.reading, resolve: (text) => resolvedText(text, { parameters }) } }, name);
    },
    write: (value, name, out, writing, holder) =>
      field.write(value, name, out, { ...writing, resolve: (text) => resolvedText(text, holder) }, holder),
  };
}

function parametersIn(sent: Json | undefined): Parameter[] {
  if (!Array.isArray(sent)) return [];
  return sent.map((one: Json) => (isObject(one) ? { name: scalarText(one.name), value: scalarText(one.value) } : { name: '', value: '' }));
}
