// Fetching artifacts of other jobs.
import { attributeText } from '../../../kit/xml/write-xml.ts';
import { optional, required } from '../form/attributes.ts';
import type { Part } from '../form/part.ts';
import { oneOf, orParameters } from '../form/values.ts';
import { configuration } from './properties.ts';

/** The source of the fetch: a file or a directory. */
const source: Part = {
  attributes: ['srcfile', 'srcdir'],
  writeAttributes: ({ source: path, is_source_a_file }) =>
    path ? attributeText(is_source_a_file ? 'srcfile' : 'srcdir', String(path)) : '',
  read: (element, json, reading) => {
    const file = element.attributes.get('srcfile');
    const directory = element.attributes.get('srcdir');
    if (file !== undefined && directory !== undefined) reading.problem(element, 'Only one of srcfile or srcdir is allowed at a time');
    json.is_source_a_file = file !== undefined;
    json.source = file ?? directory ?? null;
  },
};

export const FETCH: readonly Part[] = [
  required('artifactOrigin', 'artifact_origin', orParameters(oneOf('gocd', 'external'))),
  optional('artifactId', 'artifact_id', { absent: null }),
  source,
  optional('dest', 'destination', { absent: null, alsoAbsent: '' }),
  optional('pipeline', 'pipeline', { absent: null }),
  required('stage', 'stage'),
  required('job', 'job'),
  configuration(),
];
