// The place of the editor in the page.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Loading } from '../kit/states.tsx';
import type { CheckResult } from './document.ts';
import type { Editor } from './editor.ts';

interface EditorViewProps {
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly result: CheckResult | undefined;
  /** Changes when the user goes to a line. */
  readonly target: { readonly line: number } | undefined;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
}

/** The editor keeps the text of the first drawing: give it another `key` for another document. */
export function EditorView({ text, isReadOnly, result, target, onInput, onSave }: EditorViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [hasFailed, setHasFailed] = useState(false);
  const handlers = useRef({ onInput, onSave });
  handlers.current = { onInput, onSave };
  useEffect(() => {
    let opened: Editor | undefined;
    let isClosed = false;
    import('./editor.ts').then(
      ({ openEditor }) => {
        if (isClosed || host.current === null) return;
        opened = openEditor({
          host: host.current,
          label: 'Configuration as XML',
          text,
          isReadOnly,
          onInput: (next) => handlers.current.onInput(next),
          onSave: () => handlers.current.onSave(),
        });
        setEditor(opened);
      },
      () => setHasFailed(true),
    );
    return () => {
      isClosed = true;
      opened?.close();
    };
  }, []);
  useEffect(() => editor?.setReadOnly(isReadOnly), [editor, isReadOnly]);
  useEffect(() => {
    const mistakes = result?.is === 'wrong' || result?.is === 'in conflict' ? result.mistakes : [];
    editor?.mark(mistakes, result?.is === 'fine' ? result.plan.warnings : []);
  }, [editor, result]);
  useEffect(() => {
    if (target !== undefined) editor?.goTo(target.line);
  }, [target]);
  return (
    <>
      {editor === undefined && !hasFailed && <Loading what="Loading the editor" />}
      {hasFailed && (
        <p class="refusal" role="alert">
          The editor could not be loaded. Perhaps the server was upgraded, or it is away. Load the page again.
        </p>
      )}
      <div ref={host} class="config-editor" />
    </>
  );
}
