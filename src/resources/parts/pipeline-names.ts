// A list of pipelines by name; in answers each carries links to the pipeline itself.
import type { Field } from '../../shape/field.ts';
import { isObject, type JsonOut } from '../../shape/json.ts';
import { missing, readList, readText } from '../../shape/reading.ts';

const item = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

export function pipelineNames(): Field<readonly string[]> {
  return {
    read: (place, name) =>
      (readList(place, name) ?? []).map((entry, index) => {
        const inner = { holder: isObject(entry) ? entry : {}, path: [...place.path, name, index], reading: place.reading };
        const before = inner.reading.problems.length;
        const pipeline = readText(inner, 'name');
        if (pipeline === undefined && inner.reading.problems.length === before) missing(inner, 'name');
        return pipeline ?? '';
      }),
    write: (pipelines, name, out, { base }) => {
      out[name] = pipelines.map(
        (pipeline): JsonOut => (base === undefined ? { name: pipeline } : { _links: linksTo(pipeline, base), name: pipeline }),
      );
    },
    describe: (name) => ({ request: { [name]: { type: 'array', items: item } }, response: { [name]: { type: 'array', items: item } } }),
  };
}

function linksTo(pipeline: string, base: string): JsonOut {
  return {
    self: { href: `${base}/api/admin/pipelines/${encodeURIComponent(pipeline)}` },
    doc: { href: `${base}/api/docs#pipeline-config` },
    find: { href: `${base}/api/admin/pipelines/:pipeline_name` },
  };
}
