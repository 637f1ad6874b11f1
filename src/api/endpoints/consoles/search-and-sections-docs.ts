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
export const notFlag = (given: string, name: string): string =>
  `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`${name}\`. Valid values are true, false.`;

type Description = Omit<RouteDescription, 'chapter'>;

const TIME_OF_DAY = described(MAYBE_TEXT, 'The time of day on the agent, `HH:MM:SS.mmm`; null: the line has none.');
const LINE = described(COUNT, 'The number of the line, from 0 on.');
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
      description: 'Checking out and fetching, a task, what runs when that is cancelled (inside of it), or the publishing of artifacts.',
    },
    line: LINE,
    offset: OFFSET,
    text: described(TEXT, 'Its first line: of a task, what it runs.'),
    time: TIME_OF_DAY,
    end_line: described(MAYBE_COUNT, 'The last line of it; null: it has not ended.'),
    end_time: described(MAYBE_TEXT, 'The time of its last line.'),
    result: { enum: ['passed', 'failed', 'cancelled', null], description: 'What became of it; null: it has none, or has not ended.' },
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
  summary: 'Where the tasks of a job begin in its console, and how long that is',
  details:
    'For pages that fold tasks, and jump. The first request reads the whole console once; of one that grows the next ones read what is new.',
  callers: CALLERS,
  parameters: PARAMETERS,
  response: objectSchema(
    {
      lines: described(COUNT, 'How many lines there are; of a job that is active, complete ones.'),
      bytes: described(COUNT, 'How many bytes these take.'),
      is_active: described(FLAG, 'Whether there may be more.'),
      is_cut: described(FLAG, 'There are more than 10,000 sections, and only the first are shown.'),
      sections: { type: 'array', items: SECTION, description: 'In the order of their first lines.' },
    },
    { title: 'Sections of a console' },
  ),
  example: { lines: 10, bytes: 640, is_active: false, is_cut: false, sections: [SECTION_EXAMPLE] },
  failures: failures('A counter is neither a number nor `latest`, or there is no such parameter.'),
};

export const SEARCH: Description = {
  summary: 'Lines of a console that have a text in them',
  details:
    'For consoles that are too large for a browser. One request looks through 64 MiB at most: while `is_end` is false, ask again with the `after` of the answer. Tags and times do not count as text.',
  callers: CALLERS,
  parameters: PARAMETERS,
  query: {
    search: { ...TEXT, minLength: 1, maxLength: MAX_SEARCH_LENGTH, description: 'The text.' },
    match_case: { ...FLAG, default: false, description: 'Whether capitals and small letters differ.' },
    after: { ...COUNT, description: 'Only lines after this one. Default: all.' },
    limit: { ...COUNT, minimum: MATCHES.min, maximum: MATCHES.max, default: DEFAULT_MATCHES, description: 'How many lines at most.' },
  },
  response: objectSchema(
    {
      matches: {
        type: 'array',
        description: 'The lines, in their order.',
        items: objectSchema(
          {
            line: LINE,
            offset: OFFSET,
            column: described(COUNT, 'Where the text first stands in the text of the line, in UTF-16 units.'),
            time: TIME_OF_DAY,
            tag: described(MAYBE_TEXT, 'What kind of output it is, as in the lines.'),
            text: described(TEXT, 'The line; of a long one 2,000 characters around the match.'),
          },
          { title: 'Match in a console', others: { is_cut: { const: true, description: 'The line is longer than what is shown.' } } },
        ),
      },
      after: described(MAYBE_COUNT, 'The last line that was looked at; null: there is none.'),
      is_end: described(FLAG, 'Whether all lines that are there were looked at.'),
    },
    { title: 'Matches in a console' },
  ),
  example: {
    matches: [{ line: 7, offset: 480, column: 0, time: '09:30:03.000', tag: '&2', text: 'error: no such file' }],
    after: 9,
    is_end: true,
  },
  failures: failures('A counter is neither a number nor `latest`, a parameter is not in its range, or there is no text to look for.'),
};
