// Shows the changes that saving the text would make, then saves it.
import { useEffect, useState } from 'preact/hooks';
import { reloadAll } from '../api/queries.ts';
import { ReasonField } from '../forms/save/reason-field.tsx';
import { useReason } from '../forms/save/use-reason.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { PlanPreview } from '../kit/diff/plan-preview.tsx';
import { showMessage } from '../kit/messages.tsx';
import { Loading } from '../kit/states.tsx';
import type { CheckResult, FilePlan } from './document.ts';
import { checkDocument, saveDocument } from './requests.ts';

/** The reason is kept by the name under which the text is. */
const PAGE = 'config_xml';

interface SaveDialogProps {
  readonly text: string;
  /** Of the document that it is based on. */
  readonly md5: string;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function SaveDialog({ text, md5, onSaved, onClose }: SaveDialogProps) {
  const [result, setResult] = useState<CheckResult>();
  const reason = useReason(PAGE);
  useEffect(() => {
    const stop = new AbortController();
    checkDocument(text, md5, stop.signal).then(setResult, () => undefined);
    return () => stop.abort();
  }, []);
  const save = async (): Promise<void> => {
    const revision = await saveDocument(text, md5, reason.text);
    reason.forget();
    reloadAll('/api/');
    onSaved();
    showMessage(revision === undefined ? 'Nothing had to be changed.' : `Saved, as revision ${revision}.`);
  };
  return (
    <FormDialog title="Save the configuration" action="Save" isWide isDisabled={result?.is !== 'fine'} onClose={onClose} onSubmit={save}>
      {result === undefined && <Loading what="Trying it out" />}
      {result !== undefined && result.is !== 'fine' && (
        <p class="refusal" role="alert">
          {result.message}
        </p>
      )}
      {result?.is === 'fine' && (
        <>
          <FilePlanView plan={result.plan} />
          <ReasonField reason={reason} />
        </>
      )}
    </FormDialog>
  );
}

function FilePlanView({ plan: { ignored, warnings, _plan: plan } }: { readonly plan: FilePlan }) {
  return (
    <>
      <PlanPreview plan={plan} />
      {ignored.map(({ what, why }) => (
        <p key={what} class="stale">
          Not taken over: {what}. {why}
        </p>
      ))}
      {warnings.map(({ line, message }) => (
        <p key={`${line} ${message}`} class="stale">
          Line {line}: {message}
        </p>
      ))}
    </>
  );
}
