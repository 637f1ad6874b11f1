// Links from one entity to another that is shown inside it.
import type { JsonOut } from '../../shape/json/json.ts';

/** `find` ends with the name of the parameter: `:package_id`. */
export function linksTo(base: string | undefined, path: string, id: string, doc: string, parameter: string): JsonOut {
  if (base === undefined) return {};
  return {
    _links: {
      self: { href: `${base}${path}/${encodeURIComponent(id)}` },
      doc: { href: `${base}/api/docs#${doc}` },
      find: { href: `${base}${path}/:${parameter}` },
    },
  };
}
