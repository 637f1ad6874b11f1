// Elements that are entities of their own, wherever in the document they stand.
import type { KindName } from '../../../shape/configuration.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { type Choice, childrenIn, type Form, only, type Part } from './part.ts';

interface Options {
  /** Whether there is at most one. */
  readonly isSingle?: boolean;
  readonly isRequired?: boolean;
  /** Adds the members that it gets from its parent element. */
  belongingTo?(owner: JsonObject, json: JsonObject): JsonObject;
  /** One of which nothing remains is taken for none. */
  isNone?(json: JsonObject): boolean;
}

/** Written, the JSON of the holder has them in a list, under the name of their kind. */
export function entities(kind: KindName, forms: Choice | Form, options: Options = {}): Part {
  const choice = 'names' in forms ? forms : only(forms);
  const { isSingle = false, isRequired = false, belongingTo, isNone } = options;
  return {
    children: choice.names,
    isList: !isSingle,
    isRequired,
    writeChildren: (json, indent) => {
      let text = '';
      for (const entity of (json[kind] ?? []) as readonly JsonObject[])
        if (!isNone?.(entity)) text += choice.formOf(entity).write(entity, indent);
      return text;
    },
    read: (holder, owner, reading) => {
      for (const { child, form } of childrenIn(holder, choice)) {
        const index = reading.entities.length;
        // Entities inside it come after it.
        const lines = new Map<string, number>();
        reading.entities.push({ kind, json: {}, line: child.line, lines });
        const problemsBefore = reading.problemCount();
        const json = form.read(child, { ...reading, lines }, '');
        const isFaulty = reading.problemCount() > problemsBefore;
        if (isNone?.(json)) reading.entities.splice(index, 1);
        else reading.entities[index] = { kind, json: { ...json, ...belongingTo?.(owner, json) }, line: child.line, lines, isFaulty };
      }
    },
  };
}
