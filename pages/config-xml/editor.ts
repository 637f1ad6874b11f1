// The editor: the only file that knows CodeMirror, loaded when the page is opened.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { xml } from '@codemirror/lang-xml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxTree } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  ViewPlugin,
} from '@codemirror/view';
import type { Mistake } from './document.ts';

export interface EditorOptions {
  readonly host: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
}

export interface Editor {
  setReadOnly(isReadOnly: boolean): void;
  /** Marks lines; former marks go away. */
  mark(mistakes: readonly Mistake[], warnings: readonly Mistake[]): void;
  goTo(line: number): void;
  close(): void;
}

/** Colours come from the page: custom properties reach into the shadow tree. */
const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--page)', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--raised)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'var(--mark)' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--focus)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--mark)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--failed-tint)' },
  '.cm-foldPlaceholder': { color: 'var(--quiet)', backgroundColor: 'var(--raised)', border: '1px solid var(--line)' },
  '.cm-panels, .cm-tooltip': { color: 'var(--text)', backgroundColor: 'var(--raised)', border: '1px solid var(--line)' },
  '.cm-panel label, .cm-panel input, .cm-panel button': { color: 'var(--text)', fontSize: '13px' },
  '.cm-textfield, .cm-button': { backgroundColor: 'var(--page)', backgroundImage: 'none', border: '1px solid var(--field)' },
  '.xml-TagName': { color: 'var(--building)' },
  '.xml-AttributeName': { color: 'var(--paused)' },
  '.xml-AttributeValue': { color: 'var(--passed)' },
  '.xml-Comment': { color: 'var(--quiet)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--cancelled)' },
});

/** Parts of XML that have a colour, by the names of the parser. */
const COLOURED = new Map(
  ['TagName', 'AttributeName', 'AttributeValue', 'Comment'].map((name) => [name, Decoration.mark({ class: `xml-${name}` })]),
);

/** Only the visible lines are coloured: documents can be very long. */
function colours(view: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, from: start, to: end }) => {
        const mark = COLOURED.get(name);
        if (mark !== undefined) marks.add(start, end, mark);
      },
    });
  }
  return marks.finish();
}

const COLOURING = ViewPlugin.define(
  (view) => ({
    marks: colours(view),
    update({ docChanged, viewportChanged, startState, state, view: now }) {
      if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state)) this.marks = colours(now);
    },
  }),
  { decorations: ({ marks }) => marks },
);

/** In a shadow tree, where the editor adopts its styles instead of writing them into the page: the policy of the pages forbids that. */
export function openEditor({ host, label, text, isReadOnly, onInput, onSave }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const writable = new Compartment();
  const save = (): boolean => {
    onSave();
    return true;
  };
  const extensions = [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    xml(),
    LOOK,
    COLOURING,
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, spellcheck: 'false' }),
    keymap.of([{ key: 'Mod-s', run: save }, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onInput(update.state.doc.toString());
    }),
  ];
  const state = EditorState.create({ doc: text, extensions: [extensions, writable.of(EditorState.readOnly.of(isReadOnly))] });
  const view = new EditorView({ state, parent: root, root });
  return {
    setReadOnly: (isFixed) => view.dispatch({ effects: writable.reconfigure(EditorState.readOnly.of(isFixed)) }),
    mark: (mistakes, warnings) => {
      const all = [
        ...mistakes.map((one) => diagnosticAt(view.state, one, 'error')),
        ...warnings.map((one) => diagnosticAt(view.state, one, 'warning')),
      ];
      view.dispatch(setDiagnostics(view.state, all));
    },
    goTo: (line) => {
      const { from } = lineAt(view.state, line);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

/** From the column to the end of the line; from the first column, without the blanks before the text. */
function diagnosticAt(state: EditorState, { line, column, message }: Mistake, severity: Diagnostic['severity']): Diagnostic {
  const { from, to, text } = lineAt(state, line);
  const start = column > 1 ? column - 1 : text.length - text.trimStart().length;
  return { from: Math.min(to, from + start), to, severity, message };
}

function lineAt({ doc }: EditorState, line: number) {
  return doc.line(Math.min(Math.max(1, line), doc.lines));
}
