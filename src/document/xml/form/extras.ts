// Members that have no place in the format, and parts of the format that have no member.
import { instructionText } from '../../../kit/xml/write-xml.ts';
import { isObject, type Json, type JsonObject, type JsonOut } from '../../../shape/json/json.ts';
import { childNamed, childrenNamed, type Part } from './part.ts';

/** A member that is always the same. */
export function constant(member: string, value: Json): Part {
  return {
    read: (_, json) => {
      json[member] = value;
    },
  };
}

/** A child that is allowed, and of no meaning here. */
export function ignoredChild(name: string): Part {
  return {
    children: [name],
    isList: true,
    read: (holder, _, reading) => {
      for (const child of childrenNamed(holder, name)) reading.ignored(child, `the element <${name}>`);
    },
  };
}

const TARGET = 'slipway';
const NOT_IN_INSTRUCTIONS = /\?>|[\uFFFE\uFFFF]/g;

/**
 * Members of this server alone, with the values they have in all other documents. Others are written into a processing
 * instruction, which the schema does not see and other programs skip: `<?slipway {"submodule_folder":"lib"}?>`
 */
export function beyondFormat(absent: JsonObject): Part {
  const members = Object.keys(absent);
  return {
    children: [`?${TARGET}`],
    writeChildren: (json, indent) => {
      const own: JsonOut = {};
      for (const member of members) if (json[member] !== undefined && json[member] !== absent[member]) own[member] = json[member]!;
      return Object.keys(own).length === 0 ? '' : instructionText(indent, TARGET, bodyOf(own));
    },
    read: (holder, json, reading) => {
      const instruction = childNamed(holder, `?${TARGET}`);
      const own = instruction && parsed(String(instruction.children[0]));
      if (instruction && !(own && Object.keys(own).every((member) => members.includes(member))))
        reading.problem(instruction, `The instruction for ${TARGET} should be a JSON object with no members but: ${members.join(', ')}.`);
      for (const member of members) json[member] = own && Object.hasOwn(own, member) ? own[member]! : absent[member]!;
    },
  };
}

function bodyOf(own: JsonObject): string {
  return JSON.stringify(own).replace(NOT_IN_INSTRUCTIONS, (found) =>
    found === '?>' ? '?\\u003e' : `\\u${found.charCodeAt(0).toString(16)}`,
  );
}

function parsed(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // no JSON: the caller reports the instruction
  }
}
