// The artifacts of a job.
import { attributeText } from '../../../kit/xml/write-xml.ts';
import { optional, required } from '../form/attributes.ts';
import { list, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { invalidValue, missingAttribute } from '../form/messages.ts';
import type { Form, Part } from '../form/part.ts';
import { NAME_OR_PARAMETERS } from '../form/values.ts';
import { configuration } from './properties.ts';

/** The attribute that distinguishes the types. */
function ofType(type: string): Part {
  return {
    attributes: ['type'],
    writeAttributes: () => attributeText('type', type),
    read: (_, json) => {
      json.type = type;
    },
  };
}

function builtIn(type: string): Form {
  return element('artifact', [ofType(type), required('src', 'source'), optional('dest', 'destination', { absent: null })]);
}

const FORMS: Readonly<Record<string, Form>> = {
  build: builtIn('build'),
  test: builtIn('test'),
  external: element('artifact', [
    ofType('external'),
    required('id', 'artifact_id', NAME_OR_PARAMETERS),
    required('storeId', 'store_id'),
    configuration(),
  ]),
};

const artifact: Form = {
  name: 'artifact',
  write: (json, indent) => FORMS[String(json.type)]!.write(json, indent),
  read: (xml, reading, path) => {
    const type = xml.attributes.get('type');
    if (type !== undefined && Object.hasOwn(FORMS, type)) return FORMS[type]!.read(xml, reading, path);
    reading.problem(xml, type === undefined ? missingAttribute('type', 'artifact') : invalidValue(type, 'artifact', 'type'));
    return {};
  },
};

export const artifacts = wrap('artifacts', [list('artifacts', artifact)]);
