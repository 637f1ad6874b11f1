// Where something is defined: everything that can be changed over the API is in the server's own configuration.
import type { Field } from '../../shape/field.ts';

/** `gocd` is the word of the dialect for that. */
export const origin: Field<null> = {
  read: () => null,
  write: (_, name, out) => {
    out[name] = { type: 'gocd' };
  },
  describe: (name) => ({ request: {}, response: { [name]: { type: 'object', properties: { type: { type: 'string' } } } } }),
};
