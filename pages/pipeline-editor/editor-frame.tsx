// The frame of the editor: what is edited, its parts on the left, the chosen part on the right, and the way to save it.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Editing } from '../forms/edit/editing.tsx';
import type { Change, Saved } from '../forms/save/change.ts';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { useShortcuts } from '../kit/shortcuts.ts';
import type { EditorState } from './editor-state.ts';
import { ProblemLinks } from './problem-links.tsx';

interface EditorFrameProps<T> {
  readonly editor: EditorState<T>;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly change: (body: T) => Change;
  readonly onSaved: (saved: Saved<T>) => void;
  readonly onTakeTheirs: () => void;
  readonly tree: ComponentChildren;
  readonly children: ComponentChildren;
}

export function EditorFrame<T>({ editor, name, isReadOnly, change, onSaved, onTakeTheirs, tree, children }: EditorFrameProps<T>) {
  const [step, setStep] = useState<Change>();
  const review = (): void => {
    editor.answered.value = undefined;
    setStep(change(editor.body.peek()));
  };
  useShortcuts(isReadOnly ? [] : [{ keys: 'Ctrl s', does: 'Preview and save', run: review }]);
  useLeaveWarning(editor);
  return (
    <>
      <ProblemLinks editor={editor} />
      <div class="editor">
        {tree}
        <div class="editor-part">
          <Editing answered={editor.answered} isReadOnly={isReadOnly}>
            {children}
          </Editing>
          {!isReadOnly && <Footer editor={editor} onReview={review} />}
        </div>
      </div>
      {step !== undefined && (
        <SaveDialog<T>
          title={`Save ${name}`}
          action="Save"
          change={step}
          onClose={() => setStep(undefined)}
          onTakeTheirs={onTakeTheirs}
          onRefused={(failure) => {
            editor.answered.value = failure.data ?? { errors: { '': [failure.message] } };
            setStep(undefined);
          }}
          done={`${name} is saved.`}
          onSaved={onSaved}
        />
      )}
    </>
  );
}

function Footer<T>({ editor, onReview }: { readonly editor: EditorState<T>; readonly onReview: () => void }) {
  const isChanged = editor.isChanged.value;
  return (
    <footer class="form-footer editor-footer">
      <span class="quiet" role="status">
        {isChanged ? 'Not saved yet.' : 'Nothing is changed.'}
      </span>
      <button type="button" class="button is-primary" disabled={!isChanged} onClick={onReview}>
        Preview and save …
      </button>
    </footer>
  );
}

/** The browser asks before what was typed is lost. */
function useLeaveWarning<T>(editor: EditorState<T>): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (editor.isChanged.peek()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [editor]);
}
