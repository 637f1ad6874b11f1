// The frame of the editor: the problems, the parts on the left, the chosen part on the right, and the way to save.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { BodyDraftOffer } from '../forms/drafts/draft-offer.tsx';
import type { BodyDraft } from '../forms/drafts/use-body-draft.ts';
import { Editing, ProblemSummary } from '../forms/edit/editing.tsx';
import type { Change } from '../forms/save/change.ts';
import { previewText } from '../forms/save/preview-text.ts';
import type { SaveResult } from '../forms/save/requests.ts';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { useShortcuts } from '../kit/shortcuts.ts';
import type { EditorState } from './editor-state.ts';
import { partWith } from './part-with.ts';

interface EditorFrameProps<T> {
  readonly editor: EditorState<T>;
  readonly name: string;
  readonly draft: BodyDraft;
  /** The form cannot be changed, or not yet. */
  readonly isReadOnly: boolean;
  readonly change: (body: T) => Change;
  readonly onSaved: (saved: SaveResult) => void;
  /** Reads the current state from the server. */
  readonly onReload: () => void;
  readonly tree: ComponentChildren;
  readonly children: ComponentChildren;
}

export function EditorFrame<T>({ editor, name, draft, isReadOnly, change, onSaved, onReload, tree, children }: EditorFrameProps<T>) {
  const [step, setStep] = useState<Change>();
  const review = (): void => {
    editor.problems.clear();
    setStep(change(editor.body.peek()));
  };
  useShortcuts(isReadOnly ? [] : [{ keys: 'Ctrl s', description: 'Preview and save', run: review }]);
  return (
    <>
      <BodyDraftOffer draft={draft} />
      <ProblemSummary problems={editor.problems} onChoose={(path) => editor.choose(partWith(editor.body.peek(), path))} />
      <div class="editor">
        {tree}
        <div class="editor-part">
          <Editing problems={editor.problems} isReadOnly={isReadOnly}>
            {children}
          </Editing>
          {!isReadOnly && <Footer editor={editor} onReview={review} />}
        </div>
      </div>
      {step !== undefined && (
        <SaveDialog
          title={`Save ${name}`}
          action="Save"
          change={step}
          onClose={() => setStep(undefined)}
          onShowTheirs={() => {
            setStep(undefined);
            draft.keepForNewest();
            onReload();
          }}
          onRefused={(failure) => {
            editor.problems.take(failure);
            setStep(undefined);
          }}
          done={`${name} is saved.`}
          onSaved={(saved) => {
            setStep(undefined);
            draft.discard();
            editor.markSaved();
            onSaved(saved);
          }}
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
        {isChanged ? 'Not saved yet. It is kept as a draft.' : 'Nothing is changed.'}
      </span>
      <button type="button" class="button is-primary" disabled={!isChanged} onClick={onReview}>
        {previewText()}
      </button>
    </footer>
  );
}
