// The messages and the documentation of the routes that search consoles and list their sections.
import type { Json, JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { CALLERS, COUNT, FORBIDDEN, LINES_PATH, LOCATOR, MAYBE_COUNT, noCounter, noJob, PARAMETERS } from './docs.ts';

export const SECTIONS_PATH = `${LINES_PATH}/sections`;
export const SEARCH_PATH = `${LINES_PATH}/search`;
export const MAX_SEARCH_LENGTH = 1000;
export const MATCHES = { min: 1, max: 1000 };
export const DEFAULT_MATCHES = 100;
export const NO_SEARCH = `\`search\` must be a text of one line, of 1 to ${MAX_SEARCH_LENGTH} characters.`;

type Description = Omit<RouteDescription, 'chapter'>;

const TIME_OF_DAY = described(MAYBE_TEXT, 'The time of day on the agent, `HH:MM:SS.mmm`; null: the line has none.');
const LINE = described(COUNT, 'The number of the line, counted from 0.');
const OFFSET = described(COUNT, 'Where the line begins in `console.log`, in bytes.');
const failures = (wrong: string): NonNullable<Description['failures']> => ({
  400: { when: wrong, example: { message: noCounter('pipeline_counter') } },
  403: FORBIDDEN,
  404: { when: 'There is no such job, or its console is gone.', example: { message: noJob(LOCATOR) } },
});

const SECTION: JsonSchema = objectSchema(
  {
    kind: {
      enum: ['preparation', 'task', 'on_cancel', 'artifacts'],
      description: 'Preparation, a task, what runs when the task is cancelled (inside its section), or publishing of artifacts.',
    },
    line: LINE,
    offset: OFFSET,
    text: described(TEXT, 'Its first line; for a task, what it runs.'),
    time: TIME_OF_DAY,
    end_line: described(MAYBE_COUNT, 'Its last line; null: it has not ended.'),
    end_time: described(MAYBE_TEXT, 'The time of its last line.'),
    result: { enum: ['passed', 'failed', 'cancelled', null], description: 'Its result; null: it has none, or has not ended.' },
  },
  { title: 'Section of a console' },
);
const SECTION_EXAMPLE: Json = {
  kind: 'task',
  line: 4,
  offset: 300,
  text: '[Slipway] Task: make',
  time: '09:30:01.000',
  end_line: 9,
  end_time: '09:30:05.250',
  result: 'passed',
};

export const SECTIONS: Description = {
  summary: 'Show where the tasks of a job are in its console',
  details: 'For pages that fold tasks and jump between them. The first request reads the whole console; later ones read only what is new.',
  callers: CALLERS,
  parameters: PARAMETERS,
  response: objectSchema(
    {
      lines: described(COUNT, 'How many lines there are; while the job is active, only complete ones count.'),
      bytes: described(COUNT, 'How many bytes these lines have.'),
      is_active: described(FLAG, 'Whether more may follow.'),
      is_cut: described(FLAG, 'Whether there are more than 10,000 sections, so that only the first ones are shown.'),
      sections: { type: 'array', items: SECTION, description: 'The sections, in the order of their first lines.' },
    },
    { title: 'Sections of a console' },
  ),
  example: { lines: 10, bytes: 640, is_active: false, is_cut: false, sections: [SECTION_EXAMPLE] },
  failures: failures('A counter is neither a number nor `latest`, or there is no such parameter.'),
};

export const SEARCH: Description = {
  summary: 'Search the console of a job',
  details:
    'For consoles that are too large for a browser. One request searches at most 64 MiB: while `is_end` is false, ask again with the `after` of the answer. Tags and times are not searched.',
  callers: CALLERS,
  parameters: PARAMETERS,
  query: {
    search: { ...TEXT, minLength: 1, maxLength: MAX_SEARCH_LENGTH, description: 'The text.' },
    match_case: { ...FLAG, default: false, description: 'Whether upper and lower case differ.' },
    after: { ...COUNT, description: 'Only lines after this one. Default: all.' },
    limit: { ...COUNT, minimum: MATCHES.min, maximum: MATCHES.max, default: DEFAULT_MATCHES, description: 'The maximum number of lines.' },
  },
  response: objectSchema(
    {
      matches: {
        type: 'array',
        description: 'The lines that match, in order.',
        items: objectSchema(
          {
            line: LINE,
            offset: OFFSET,
            column: described(COUNT, 'Where the text first occurs in the text of the line, in UTF-16 units.'),
            time: TIME_OF_DAY,
            tag: described(MAYBE_TEXT, 'The kind of output, as in the lines.'),
            text: described(TEXT, 'The line; of a long line, 2,000 characters around the match.'),
          },
          {
            title: 'Match in a console',
            others: { is_cut: { const: true, description: 'Whether the line is longer than what is shown.' } },
          },
        ),
      },
      after: described(MAYBE_COUNT, 'The last line that was searched; null: there is none.'),
      is_end: described(FLAG, 'Whether all lines have been searched.'),
    },
    { title: 'Matches in a console' },
  ),
  example: {
    matches: [{ line: 7, offset: 480, column: 0, time: '09:30:03.000', tag: '&2', text: 'error: no such file' }],
    after: 9,
    is_end: true,
  },
  failures: failures('A counter is neither a number nor `latest`, a parameter is not in its range, or there is no text to search for.'),
};
