// One line of a console.
import { memo } from '../../kit/memo.ts';
import { pluralize } from '../../kit/text/text.ts';
import { type Piece, piecesOf } from './ansi.ts';
import type { Log, Section } from './log.ts';

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
        href={`#L${line + 1}`}
        tabIndex={-1}
        onClick={(event) => {
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
        {piecesOf(text).map((piece, index) => (
          <Styled key={index} piece={piece} pattern={pattern} />
        ))}
        {hidden > 0 && <span class="quiet"> ({pluralize(hidden, 'line')})</span>}
      </span>
    </div>
  );
});

function Styled({ piece, pattern }: { readonly piece: Piece; readonly pattern: string }) {
  const style = classOf(piece);
  const marked = <Marked text={piece.text} pattern={pattern} />;
  return style === undefined ? marked : <span class={style}>{marked}</span>;
}

function classOf({ colour, background, isBold, isFaint, isUnderlined }: Piece): string | undefined {
  const classes = [
    colour !== undefined && `ansi-${colour}`,
    background !== undefined && `ansi-on-${background}`,
    isBold && 'ansi-bold',
    isFaint && 'ansi-faint',
    isUnderlined && 'ansi-underlined',
  ].filter((name) => typeof name === 'string');
  return classes.length === 0 ? undefined : classes.join(' ');
}

function Marked({ text, pattern }: { readonly text: string; readonly pattern: string }) {
  const at = pattern === '' ? -1 : text.toLowerCase().indexOf(pattern.toLowerCase());
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + pattern.length)}</mark>
      <Marked text={text.slice(at + pattern.length)} pattern={pattern} />
    </>
  );
}
