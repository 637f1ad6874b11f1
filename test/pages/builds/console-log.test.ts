// The console of a job as a page keeps it: lines, tasks, folds, colours and search.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { piecesOf, type Style } from '../../../pages/job/console/ansi.ts';
import { Folds } from '../../../pages/job/console/folds.ts';
import { Log } from '../../../pages/job/console/log.ts';
import { type SearchMatches, searchLog } from '../../../pages/job/console/search.ts';

function logOf(...chunks: readonly string[]): Log {
  const log = new Log();
  for (const chunk of chunks) log.append(new TextEncoder().encode(chunk));
  return log;
}

/** What can be seen of a style. */
function shownStyle(style: Style): string {
  return Object.entries(style)
    .filter(([, value]) => value !== undefined && value !== false)
    .map((entry) => entry.join(' '))
    .toSorted()
    .join();
}

describe('a log', () => {
  it('has the tag, the time and the text of each line', () => {
    const log = logOf('##|09:30:00.123 begins\n&1|09:30:01.000 ü €\nplain\n');
    assert.equal(log.lineCount, 3);
    assert.deepEqual(log.line(0), { number: 0, tag: '##', time: '09:30:00.123', text: 'begins' });
    assert.deepEqual(log.line(1), { number: 1, tag: '&1', time: '09:30:01.000', text: 'ü €' });
    assert.deepEqual(log.line(2), { number: 2, tag: '', time: '', text: 'plain' });
  });

  it('takes a bar in the output of a program as text', () => {
    assert.deepEqual(logOf('ab|cd\n').line(0), { number: 0, tag: '', time: '', text: 'ab|cd' });
  });

  it('shows a line that has no end yet, and an empty one', () => {
    const log = logOf('&1|09:30:00.000 one\n\nun', 'finished');
    assert.equal(log.lineCount, 3);
    assert.equal(log.line(1).text, '');
    assert.equal(log.line(2).text, 'unfinished');
  });

  it('cuts a line of megabytes, and says so', () => {
    const { text } = logOf(`${'x'.repeat(3_000_000)}\nnext\n`).line(0);
    assert.ok(text.length < 21_000);
    assert.match(text, /the line goes on/);
  });

  it('is the same however its bytes were cut into chunks', () => {
    const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom('!!|09:30:00.000 Task', '?0|09:30:01.000 passed', '?1|x', '€', '')));
    fc.assert(
      fc.property(lines, fc.array(fc.nat(200)), (texts, cuts) => {
        const bytes = new TextEncoder().encode(texts.map((text) => `${text.replaceAll('\n', ' ')}\n`).join(''));
        const whole = new Log();
        whole.append(bytes);
        const cut = new Log();
        const ends = [...new Set([0, ...cuts.filter((end) => end < bytes.length), bytes.length])].toSorted((one, other) => one - other);
        for (const [index, end] of ends.entries()) if (index > 0) cut.append(bytes.subarray(ends[index - 1], end));
        const stateOf = (log: Log) => [Array.from({ length: log.lineCount }, (_, line) => log.line(line)), log.sections, log.errors];
        assert.deepEqual(stateOf(cut), stateOf(whole));
        assert.equal(whole.lineCount, texts.length);
      }),
    );
  });

  it('knows its tasks, how they ended, and where something went wrong', () => {
    const log = logOf('##|x\n!!|a\n&1|b\n?0|c\n##|d\n!!|e\n&2|f\n?1|g\nj1|h\n!!|i\n&1|j\n');
    assert.deepEqual(log.sections, [
      { first: 1, last: 3, result: 'passed' },
      { first: 5, last: 7, result: 'failed' },
      { first: 9, last: 10, result: 'running' },
    ]);
    assert.deepEqual(log.errors, [7, 8]);
    assert.equal(log.sectionOf(6)?.first, 5);
    assert.equal(log.sectionOf(0), undefined);
  });
});

describe('folded lines', () => {
  it('are left out, except the first line of each fold', () => {
    const folds = new Folds([
      { first: 6, last: 8 },
      { first: 1, last: 3 },
    ]);
    const shown = Array.from({ length: folds.rowCount(10) }, (_, row) => folds.lineAt(row));
    assert.deepEqual(shown, [0, 1, 4, 5, 6, 9]);
    assert.deepEqual(
      Array.from({ length: 10 }, (_, line) => folds.rowOf(line)),
      [0, 1, 1, 1, 2, 3, 4, 4, 4, 5],
    );
  });

  it('map to rows and back, for any folds', () => {
    const folded = fc.array(fc.tuple(fc.nat(4), fc.nat(5)), { maxLength: 8 });
    fc.assert(
      fc.property(folded, (gaps) => {
        let at = 0;
        const folds = new Folds(
          gaps.map(([gap, length]) => {
            const first = at + gap;
            at = first + length + 1;
            return { first, last: first + length };
          }),
        );
        for (let row = 0; row < folds.rowCount(at + 5); row++) assert.equal(folds.rowOf(folds.lineAt(row)), row);
      }),
    );
  });
});

describe('a line with terminal sequences', () => {
  it('becomes pieces with a style', () => {
    assert.deepEqual(piecesOf('a \u001b[1;31mred\u001b[0m b \u001b[92;44mx\u001b[39my\u001b[38;5;3mz'), [
      { text: 'a ' },
      { text: 'red', isBold: true, colour: 1 },
      { text: ' b ' },
      { text: 'x', colour: 10, background: 4 },
      { text: 'y', colour: undefined, background: 4 },
      { text: 'z', colour: 3, background: 4 },
    ]);
  });

  it('loses sequences that are not for colours, and control characters', () => {
    assert.deepEqual(piecesOf('a\u001b[2K\u001b]0;title\u0007b\u0000\u0008c\u001b[38;2;1;2;3md'), [
      { text: 'a' },
      { text: 'b' + 'c' },
      { text: 'd', colour: 0 },
    ]);
  });

  it('shows the nearest of 16 colours for one of 256, and for any colour', () => {
    const colourOf = (codes: string) => piecesOf(`\u001b[${codes}mx`)[0]!.colour;
    // 196 red, 208 orange, 46 green, 226 yellow, 21 blue, 201 magenta, 51 cyan, 231 white, 16 black, 240 grey, 252 light grey
    const indexed = [9, 196, 208, 46, 226, 21, 201, 51, 231, 16, 240, 252].map((index) => colourOf(`38;5;${index}`));
    assert.deepEqual(indexed, [9, 1, 3, 2, 3, 4, 5, 6, 7, 0, 8, 7]);
    const any = ['250;128;114', '255;165;0', '0;0;128', '173;216;230', '255;255;255', '90;90;90'].map((rgb) => colourOf(`38;2;${rgb}`));
    assert.deepEqual(any, [1, 3, 4, 6, 7, 8]);
    assert.deepEqual(piecesOf('\u001b[48;5;22;1mx'), [{ text: 'x', background: 2, isBold: true }]);
    assert.deepEqual(piecesOf('\u001b[38;5;999mx'), [{ text: 'x' }]);
  });

  it('keeps the codes after a colour apart from its numbers, with colons as with semicolons', () => {
    for (const colour of [
      '38;2;0;0;1',
      '38;5;16',
      '38:2::0:0:1',
      '38:2:0:0:1',
      '38:2:0:0:0:1',
      '38:5:16',
      '38;5;0',
      '58;2;0;4;7',
      '58:5:4',
    ]) {
      const [piece] = piecesOf(`\u001b[31;${colour};3mx\u001b[0my`);
      assert.deepEqual(piece, { text: 'x', colour: colour.startsWith('58') ? 1 : 0 }, colour);
    }
    assert.deepEqual(piecesOf('\u001b[1;4:3mx\u001b[4:0my'), [
      { text: 'x', isBold: true, isUnderlined: true },
      { text: 'y', isBold: true, isUnderlined: false },
    ]);
  });

  it('is inverse or struck until that ends', () => {
    assert.deepEqual(piecesOf('\u001b[7;31mx\u001b[27;9my\u001b[29mz'), [
      { text: 'x', isInverse: true, colour: 1 },
      { text: 'y', isInverse: false, isStruck: true, colour: 1 },
      { text: 'z', isInverse: false, isStruck: false, colour: 1 },
    ]);
  });

  it('goes on with the style of the lines before it, until that is reset or the output of the program ends', () => {
    const red = '\u001b[31m';
    const log = logOf(`&1|a${red}b\n&2|c\n&1|d\r\u001b[1me\u001b[39mf\n&1|g\u001b[0m\n&1|h${red}\n?1|i\n!!|j\n&1|k${red}\n`, '&1|l');
    const shown = Array.from({ length: log.lineCount }, (_, line) => piecesOf(log.line(line).text, log.styleAt(line)));
    assert.deepEqual(shown, [
      [{ text: 'a' }, { text: 'b', colour: 1 }],
      [{ text: 'c', colour: 1 }],
      [
        { text: 'e', colour: 1, isBold: true },
        { text: 'f', colour: undefined, isBold: true },
      ],
      [{ text: 'g', colour: undefined, isBold: true }],
      [{ text: 'h' }],
      [{ text: 'i' }],
      [{ text: 'j' }],
      [{ text: 'k' }],
      [{ text: 'l', colour: 1 }],
    ]);
    assert.deepEqual(piecesOf(`${red}10 %\r20 %`), [{ text: '20 %', colour: 1 }]);
  });

  it('has the style of a terminal, however far back it was set and wherever the log was cut', () => {
    const part = fc.constantFrom(
      'x',
      '\r',
      '\u001b[m',
      '\u001b[0m',
      '\u001b[1;31m',
      '\u001b[39m',
      '\u001b[22m',
      '\u001b[K',
      '\u001b]0;',
      '\u0007',
    );
    const line = fc.tuple(
      fc.constantFrom('&1|', '&2|', '', '##|'),
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fc.array(fc.nat(300)), (lines, cuts) => {
        const text = lines.map((one) => `${one.join('')}\n`).join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).toSorted((one, other) => one - other), text.length];
        const log = logOf(...places.slice(1).map((place, index) => text.slice(places[index], place)));
        let style: Style = {};
        for (const [number, [tag, output]] of lines.entries()) {
          const isOutput = tag !== '##|';
          assert.equal(shownStyle(log.styleAt(number)), shownStyle(isOutput ? style : {}), `line ${number} of ${JSON.stringify(text)}`);
          // The style of what would be printed next.
          const { text: _, ...next } = piecesOf(`${output}\u0007$`, style).at(-1)!;
          style = isOutput ? next : {};
        }
      }),
    );
  });

  it('costs little to know in a log of a million lines', () => {
    const log = logOf(`&1|\u001b[31mred\n${'&1|more\n'.repeat(1_000_000)}`);
    assert.equal(log.styleAt(999_999).colour, 1);
  });

  it('has one of 16 colours or none, whatever the codes', () => {
    const isColour = (colour: number | undefined) => colour === undefined || (Number.isInteger(colour) && colour >= 0 && colour < 16);
    const code = fc.oneof(fc.constantFrom('38', '48', '58', '2', '5', ''), fc.nat(300).map(String));
    const codes = fc.array(fc.tuple(code, fc.constantFrom(';', ':')));
    fc.assert(
      fc.property(codes, (parts) => {
        const [piece] = piecesOf(`\u001b[${parts.flat().join('')}mx`);
        assert.ok(isColour(piece!.colour) && isColour(piece!.background), JSON.stringify(piece));
        assert.equal(piece!.text, 'x');
      }),
    );
  });

  it('loses text before a carriage return', () => {
    assert.deepEqual(piecesOf('10 %\r50 %\r100 %\r'), [{ text: '100 %' }]);
  });
});

describe('a search in a log', () => {
  async function find(log: Log, text: string): Promise<SearchMatches> {
    let found: SearchMatches | undefined;
    await searchLog(log, text, new AbortController().signal, (result) => (found = result));
    assert.ok(found);
    return found;
  }

  it('finds each line once, in any letter case, also in later blocks', async () => {
    const lines = Array.from({ length: 50_000 }, (_, line) => (line % 9_999 === 3 ? `Needle needle ${line}` : `hay ${line}`));
    const { lines: found, isComplete } = await find(logOf(`${lines.join('\n')}\n`), 'NEEDLE');
    assert.deepEqual(found, [3, 10_002, 20_001, 30_000, 39_999, 49_998]);
    assert.equal(isComplete, true);
  });

  it('takes every character for itself', async () => {
    assert.deepEqual((await find(logOf('a.c\nabc\n(x)\n'), 'a.c')).lines, [0]);
    assert.deepEqual((await find(logOf('a.c\nabc\n(x)\n'), '(x')).lines, [2]);
  });
});
