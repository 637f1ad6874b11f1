// The file into which an external plugin has written a pipeline.
import type { ExportedFile } from '../../contracts/plugins/config-repo.ts';
import { PROTOCOL } from '../../formats/external/protocol.ts';
import { isObject } from '../../shape/json/json.ts';

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; charset=[\w-]+)?$/;

export function readExported(answer: string): ExportedFile {
  const json = parsed(answer);
  if (!isObject(json) || json.protocol !== PROTOCOL) throw new Error(`The answer of the plugin has to name protocol ${PROTOCOL}.`);
  if (typeof json.error === 'string') throw new Error(json.error);
  const { name, content_type: contentType = 'text/plain; charset=utf-8', content } = isObject(json.file) ? json.file : {};
  if (typeof name !== 'string' || typeof content !== 'string')
    throw new Error('The answer of the plugin has no `file` with `name` and `content`.');
  if (typeof contentType !== 'string' || !MEDIA_TYPE.test(contentType))
    throw new Error('The answer of the plugin has an invalid `content_type`.');
  return { name, contentType, text: content };
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw new Error('The plugin did not answer in JSON.'); // its answer may be long, and is of no use to users
  }
}
