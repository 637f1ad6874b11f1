// The configuration as XML: checked while it is typed, and merged with the changes of other users when it is saved.

import { useState } from 'preact/hooks';
import { addressOf } from '../api/address.ts';
import { messageOf } from '../api/failure.ts';
import { DraftOffer } from '../forms/drafts/draft-offer.tsx';
import { SealedText, useSealedOffer } from '../forms/drafts/sealed-text.ts';
import { previewText } from '../forms/save/preview-text.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Breadcrumb } from '../kit/breadcrumb.tsx';
import { useLeaveWarning } from '../kit/fields/leave-warning.ts';
import { Link } from '../kit/link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { pageOf } from '../kit/routing.ts';
import { Command, Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { CheckView } from './check-view.tsx';
import { type ConfigDocument, DOCUMENT_ADDRESS } from './document.ts';
import { type DocumentDraft, draftIn, packDraft, unpackDraft } from './document-draft.ts';
import { EditorView } from './editor-view.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { useCheck } from './use-check.ts';
import { useDocument, useNewestRevision } from './use-document.ts';

const work = new SealedText({ form: 'config_xml', pack: packDraft });

export function ConfigXmlPage() {
  useTitle('Configuration as XML');
  return (
    <AdminsOnly title="Configuration as XML">
      <Breadcrumb crumbs={[{ label: 'Changes', href: pageOf.changes() }]} />
      <div class="page-header">
        <h1>Configuration as XML</h1>
        <MomentSwitch />
      </div>
      <DocumentView />
      <CloneAddress />
    </AdminsOnly>
  );
}

function DocumentView() {
  const { at } = useMoment();
  const read = useDocument(at, work.typed.peek()?.base);
  const startOver = (): void => {
    work.clear();
    read.reload();
  };
  return (
    <>
      {at === undefined && <OfferedDraft onTakenUp={read.reload} />}
      <Loaded read={read}>
        {(document) =>
          at === undefined ? (
            <EditedDocument key={read.readAt} base={document} onStartOver={startOver} />
          ) : (
            <EditorView
              key={read.readAt}
              text={document.text}
              isReadOnly
              result={undefined}
              target={undefined}
              onInput={ignore}
              onSave={ignore}
            />
          )
        }
      </Loaded>
    </>
  );
}

/** Offers the text that was typed before the page was loaded. */
function OfferedDraft({ onTakenUp }: { readonly onTakenUp: () => void }) {
  const [problem, setProblem] = useState<string>();
  const offer = useSealedOffer(work);
  if (offer === undefined) return null;
  const draft = draftIn(offer.packed);
  const takeUp = async (): Promise<void> => {
    try {
      work.takeUp(await unpackDraft(draft));
      onTakenUp();
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  };
  return (
    <>
      <DraftOffer draft={offer.draft} hasSecrets onContinue={() => void takeUp()} onDiscard={() => work.clear()} />
      {problem !== undefined && <LostBase problem={problem} draft={draft} />}
    </>
  );
}

/** The text cannot be put back into the document: the user copies it from here. */
function LostBase({ problem, draft }: { readonly problem: string; readonly draft: DocumentDraft }) {
  return (
    <div class="refusal" role="alert">
      <p>{problem} This is what you typed:</p>
      <pre>{draft.edit.inserted}</pre>
    </div>
  );
}

function EditedDocument({ base, onStartOver }: { readonly base: ConfigDocument; readonly onStartOver: () => void }) {
  const typed = work.typed.value;
  const text = typed?.base.md5 === base.md5 ? typed.text : base.text;
  const isChanged = text !== base.text;
  const [isSaving, setIsSaving] = useState(false);
  const [target, setTarget] = useState<{ readonly line: number }>();
  const { result, isChecking } = useCheck(isChanged ? text : undefined, base.md5);
  const newest = useNewestRevision() ?? base.revision;
  useLeaveWarning(isChanged && !work.isKept.value);
  const open = (): void => {
    if (isChanged) setIsSaving(true);
  };
  return (
    <>
      {newest > base.revision && <Newer isChanged={isChanged} base={base} newest={newest} onStartOver={onStartOver} />}
      <div class="toolbar">
        <CheckView isChanged={isChanged} isChecking={isChecking} result={result} onLine={(line) => setTarget({ line })} />
        <span class="grow" />
        <a class="button" href={addressOf(DOCUMENT_ADDRESS)} download="cruise-config.xml">
          Download
        </a>
        <button type="button" class="button" disabled={!isChanged} onClick={onStartOver}>
          Discard
        </button>
        <button type="button" class="button is-primary" disabled={!isChanged} aria-keyshortcuts="Control+S Meta+S" onClick={open}>
          {previewText()}
        </button>
      </div>
      <EditorView
        text={text}
        isReadOnly={false}
        result={result}
        target={target}
        onInput={(next) => work.set({ base, text: next })}
        onSave={open}
      />
      {isSaving && <SaveDialog text={text} md5={base.md5} onSaved={onStartOver} onClose={() => setIsSaving(false)} />}
    </>
  );
}

interface NewerProps {
  readonly isChanged: boolean;
  readonly base: ConfigDocument;
  readonly newest: number;
  readonly onStartOver: () => void;
}

function Newer({ isChanged, base, newest, onStartOver }: NewerProps) {
  return (
    <p class="stale" role="status">
      The configuration has changed since revision {base.revision}, which you see: there is{' '}
      <Link href={pageOf.change(newest)}>revision {newest}</Link> now.{' '}
      {isChanged ? 'When you save, changes of others stay where they do not touch the same entities.' : ''}{' '}
      <button type="button" class="link-button" onClick={onStartOver}>
        {isChanged ? 'Discard mine and load the newest' : 'Load the newest'}
      </button>
    </p>
  );
}

function CloneAddress() {
  const address = new URL(addressOf('/api/config-repository.git'), location.href).href;
  return (
    <details class="clone-address">
      <summary>Clone the history with git</summary>
      <p>
        Each revision is a commit. The repository is read only: git asks for your name and password, or for an access token as the password.
      </p>
      <Command text={`git clone ${address}`} />
    </details>
  );
}

function ignore(): void {}
