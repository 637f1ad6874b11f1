// The documentation of sealed drafts.
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { NOT_BY_TOKEN } from '../access-tokens/docs.ts';

/** Sealed it is longer by a third, and still not too long for a text in a body. */
export const MAX_TEXT_BYTES = 500_000;
export const TOO_LONG = `A draft has at most ${MAX_TEXT_BYTES} bytes.`;
export const NOT_OPENED = 'The draft cannot be decrypted: it belongs to another user, another form or another server, or it was altered.';

const FORM = described(TEXT, 'The form that the text was typed into. A draft can be decrypted only for the same form.');
const SEALED = described(TEXT, 'The encrypted text.');
const EXAMPLE_SEALED = 'q1xZJ0b9w2kK7v3e…';
const COMMON = {
  chapter: 'current-user',
  who: 'every user, but not with an access token',
  changes: 'nothing',
} as const;
const REFUSED_TOKEN = { when: 'Asked with an access token.', example: { message: NOT_BY_TOKEN } };

export const SEAL_DESCRIPTION: RouteDescription = {
  ...COMMON,
  summary: 'Encrypt text that was typed but not saved yet',
  details:
    'For pages: they keep the answer in the browser, so that a text with secrets survives a reload. The server stores nothing. Only the same user can decrypt it.',
  request: {
    schema: objectSchema({ form: FORM, text: described(TEXT, `The text, of at most ${MAX_TEXT_BYTES} bytes.`) }),
    example: { form: 'config_xml', text: '<cruise/>' },
  },
  response: objectSchema({ sealed: SEALED }),
  example: { sealed: EXAMPLE_SEALED },
  failures: {
    403: REFUSED_TOKEN,
    422: { when: 'The form or the text is missing, or the text is too long.', example: { message: "The body needs the text 'text'." } },
  },
};

export const OPEN_DESCRIPTION: RouteDescription = {
  ...COMMON,
  summary: 'Decrypt such a draft',
  request: { schema: objectSchema({ form: FORM, sealed: SEALED }), example: { form: 'config_xml', sealed: EXAMPLE_SEALED } },
  response: objectSchema({ text: described(TEXT, 'The text as it was typed.') }),
  example: { text: '<cruise/>' },
  failures: {
    403: REFUSED_TOKEN,
    422: {
      when: 'The form or the draft is missing, or the draft cannot be decrypted.',
      example: { message: "The body needs the text 'form'." },
    },
  },
};
