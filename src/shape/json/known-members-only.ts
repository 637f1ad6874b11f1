// A group of fields that refuses unknown members, where leaving them out would change the meaning of the body.
import { closest } from '../../kit/text/closest.ts';
import type { FieldDescription } from '../described.ts';
import type { EntityOf, Field, Fields, MemberSchemas } from '../field.ts';
import { group } from '../fields.ts';
import { isObject, snakeCase } from './json.ts';

const MAX_QUOTE_LENGTH = 100;
/** Maximum number of members that are reported: users would not read more. */
const MAX_UNKNOWN_MEMBERS = 20;

export function knownMembersOnly<F extends Fields>(fields: F, described: FieldDescription): Field<EntityOf<F>> {
  const plain = group(fields, described);
  const known = Object.keys(fields).map(snakeCase);
  return {
    ...plain,
    read: (cursor, name) => {
      const given = cursor.holder[name];
      const unknown = isObject(given) ? Object.keys(given).filter((member) => !known.includes(member)) : [];
      for (const member of unknown.slice(0, MAX_UNKNOWN_MEMBERS))
        cursor.reading.problems.push({
          at: [...cursor.path, name, member.slice(0, MAX_QUOTE_LENGTH)],
          message: noSuchMember(member, known),
        });
      return plain.read(cursor, name);
    },
    describe: (name) => {
      const { request, ...described } = plain.describe(name);
      return { ...described, request: closed(request) };
    },
  };
}

function noSuchMember(member: string, known: readonly string[]): string {
  const meant = closest(member, known);
  const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`;
  return `There is no member '${member.slice(0, MAX_QUOTE_LENGTH)}' here.${hint} Known are ${known.join(', ')}.`;
}

function closed(members: MemberSchemas): MemberSchemas {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, { ...schema, additionalProperties: false }]));
}
