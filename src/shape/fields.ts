// The plain fields that resources are made of.
import { describedBy, describedItems, type FieldDescription } from './described.ts';
import { describeFields, type EntityOf, type Field, type Fields, plainField, readFields, writeFields } from './field.ts';
import { cursorsIn, readFlag, readList, readNeeded, readObject, readText, readTexts, readWhole, report } from './json/reading.ts';

const NAME_PATTERN = '^[a-zA-Z0-9_\\-][a-zA-Z0-9_\\-.]*$';
const NAME = new RegExp(NAME_PATTERN);
export const MAX_NAME_LENGTH = 255;
export const NAME_RULE =
  'This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.';

export function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && NAME.test(text);
}

/** A text that must be there. */
export function text(described: FieldDescription): Field<string> {
  return plainField<string>(
    { type: 'string', ...describedBy(described) },
    (cursor, name) => readNeeded(cursor, name, readText) ?? '',
    (value) => value,
    true,
  );
}

/** A text that may be left out; then it is null. */
export function optionalText(described: FieldDescription): Field<string | null> {
  return plainField<string | null>(
    { type: ['string', 'null'], ...describedBy(described) },
    (cursor, name) => readText(cursor, name) ?? null,
    (value) => value,
  );
}

/** A text whose absence a rule of the resource reports in its own words; an absent one is empty, and empty is written as null. */
export function checkedText(described: FieldDescription): Field<string> {
  return plainField<string>(
    { type: ['string', 'null'], ...describedBy(described) },
    (cursor, name) => readText(cursor, name) ?? '',
    (value) => value || null,
  );
}

/** An id: a name that stands in addresses. `complain` returns the message for an invalid one. */
export function identifier(
  complain: (id: string) => string = (id) => `Invalid id '${id}'. ${NAME_RULE}`,
  { isBlankWhenAbsent = false, label }: { readonly isBlankWhenAbsent?: boolean; readonly label?: string } = {},
): Field<string> {
  const described = { description: 'What it is called; others refer to it by this.', label };
  const plain = isBlankWhenAbsent ? checkedText(described) : text(described);
  return {
    ...plain,
    read: (cursor, name) => {
      const id = plain.read(cursor, name);
      if (id !== '' && !isName(id)) report(cursor, name, complain(id));
      return id;
    },
    describe: (name) => {
      const schema = { type: 'string', pattern: NAME_PATTERN, maxLength: MAX_NAME_LENGTH, ...describedBy(described) };
      return { request: { [name]: schema }, response: { [name]: schema }, required: [name] };
    },
  };
}

/** An id that the server makes up when none is sent; a blank one is none. */
export function optionalIdentifier(label?: string): Field<string> {
  const plain = identifier(undefined, { isBlankWhenAbsent: true, label });
  return {
    ...plain,
    read: (cursor, name) => {
      const given = cursor.holder[name];
      return typeof given === 'string' && given.trim() === '' ? '' : plain.read(cursor, name);
    },
    describe: (name) => ({ ...plain.describe(name), required: [] }),
  };
}

export function flag(absent: boolean, described: FieldDescription): Field<boolean> {
  return plainField<boolean>(
    { type: 'boolean', default: absent, ...describedBy(described) },
    (cursor, name) => readFlag(cursor, name) ?? absent,
    (value) => value,
  );
}

export function whole(absent: number, described: FieldDescription): Field<number> {
  return plainField<number>(
    { type: 'integer', ...describedBy(described) },
    (cursor, name) => readWhole(cursor, name) ?? absent,
    (value) => value,
  );
}

export function texts(described: FieldDescription): Field<readonly string[]> {
  return plainField<readonly string[]>(
    { type: 'array', ...describedItems(described, { type: 'string' }) },
    (cursor, name) => readTexts(cursor, name) ?? [],
    (value) => value,
  );
}

export function group<F extends Fields>(fields: F, described: FieldDescription, { isRequired = false } = {}): Field<EntityOf<F>> {
  return {
    read: (cursor, name) => {
      const holder = isRequired ? readNeeded(cursor, name, readObject) : readObject(cursor, name);
      return readFields(fields, holder ?? {}, [...cursor.path, name], cursor.reading);
    },
    write: (value, name, out, writing) => {
      out[name] = writeFields(fields, value, writing);
    },
    describe: (name) => {
      const { request, response } = describeFields(fields);
      return {
        request: { [name]: { ...request, ...describedBy(described) } },
        response: { [name]: { ...response, ...describedBy(described) } },
        required: isRequired ? [name] : [],
      };
    },
  };
}

export function listOf<F extends Fields>(fields: F, described: FieldDescription): Field<readonly EntityOf<F>[]> {
  return {
    read: (cursor, name) =>
      cursorsIn(readList(cursor, name) ?? [], [...cursor.path, name], cursor.reading).map(({ holder, path, reading }) =>
        readFields(fields, holder, path, reading),
      ),
    write: (value, name, out, writing) => {
      out[name] = value.map((item) => writeFields(fields, item, writing));
    },
    describe: (name) => {
      const { request, response } = describeFields(fields);
      return {
        request: { [name]: { type: 'array', items: request, ...describedBy(described) } },
        response: { [name]: { type: 'array', items: response, ...describedBy(described) } },
      };
    },
  };
}
