// One line of a console.
import type { ComponentChild } from 'preact';
import { isPlainClick } from '../../kit/link.tsx';
import { memo } from '../../kit/memo.ts';
import { pluralize } from '../../kit/text/text.ts';
import { type Piece, piecesOf } from './ansi.ts';
import { lineAddress } from './line-address.ts';
import type { Log, Section } from './log.ts';
import { patternOf } from './search.ts';

/** Of a line that holds the text more often, only the first are marked: thousands of marks in each line would hold up the page. */
const MAX_MARKS = 200;

const KINDS: Readonly<Record<string, string>> = {
  '##': 'notice',
  '!!': 'task',
  '&2': 'error-output',
  pe: 'error-output',
  ae: 'failed',
  '?0': 'passed',
  '?1': 'failed',
  '^C': 'cancelled',
  j0: 'passed',
  j1: 'failed',
  x1: 'failed',
  ar: 'notice',
  ex: 'notice',
  pr: 'notice',
};

interface LogRowProps {
  readonly log: Log;
  readonly line: number;
  /** Changes when the line may have become longer. */
  readonly length: number;
  /** How the task ended that begins here. */
  readonly result: Section['result'] | undefined;
  /** How many lines are folded away after this one. */
  readonly hidden: number;
  readonly isSelected: boolean;
  readonly showsTimes: boolean;
  readonly pattern: string;
  readonly onToggle: (line: number) => void;
  readonly onSelect: (line: number) => void;
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { log, line, result, hidden, isSelected, showsTimes, pattern, onToggle, onSelect } = props;
  const { tag, time, text } = log.line(line);
  const kind = result !== undefined && result !== 'running' ? `task is-${result}` : (KINDS[tag] ?? 'output');
  return (
    <div class={`log-row is-${kind}${isSelected ? ' is-selected' : ''}`}>
      <a
        class="log-number"
        href={lineAddress(line)}
        tabIndex={-1}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          onSelect(line);
        }}
      >
        {line + 1}
      </a>
      {showsTimes && <span class="log-time">{time.slice(0, 8)}</span>}
      {result !== undefined && (
        <button
          type="button"
          class="log-fold"
          aria-expanded={hidden === 0}
          aria-label={`Output of the task in line ${line + 1}`}
          onClick={() => onToggle(line)}
        >
          {hidden > 0 ? '▸' : '▾'}
        </button>
      )}
      <span class="log-text">
        {drawn(piecesOf(text, log.styleAt(line)), pattern)}
        {hidden > 0 && <span class="quiet"> ({pluralize(hidden, 'line')})</span>}
      </span>
    </div>
  );
});

/** The pieces of a line, with marks where the pattern occurs. */
function drawn(pieces: readonly Piece[], pattern: string): ComponentChild[] {
  let left = MAX_MARKS;
  return pieces.map((piece) => {
    // A text, a match, a text, a match …: every second one is a match.
    const parts = pattern === '' ? [piece.text] : piece.text.split(patternOf(pattern));
    const rest = parts.splice(2 * left + 1).join('');
    left -= (parts.length - 1) / 2;
    const marked: ComponentChild[] = parts.map((part, index) => (index % 2 === 0 ? part : <mark>{part}</mark>));
    if (rest !== '') marked.push(rest);
    const style = classOf(piece);
    return style === undefined ? marked : <span class={style}>{marked}</span>;
  });
}

function classOf({ colour, background, isBold, isFaint, isUnderlined, isInverse, isStruck }: Piece): string | undefined {
  const classes = [
    colour !== undefined && `ansi-${colour}`,
    background !== undefined && `ansi-on-${background}`,
    isBold && 'ansi-bold',
    isFaint && 'ansi-faint',
    isUnderlined && 'ansi-underlined',
    isInverse && 'ansi-inverse',
    isStruck && 'ansi-struck',
  ].filter((name) => typeof name === 'string');
  return classes.length === 0 ? undefined : classes.join(' ');
}
