// A desired state, pasted or uploaded: its changes are shown first, then it is applied as a whole.
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { DraftOffer } from '../forms/drafts/draft-offer.tsx';
import { SealedText, useSealedOffer } from '../forms/drafts/sealed-text.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Breadcrumb } from '../kit/breadcrumb.tsx';
import { useLeaveWarning } from '../kit/fields/leave-warning.ts';
import { pageOf } from '../kit/routing.ts';
import { useTitle } from '../kit/title.ts';
import { PLAN_VERSION, type Plan, planRequest } from './plan.ts';
import { PlanResult } from './plan-result.tsx';

const wanted = new SealedText<string>({ form: 'plan', pack: (text) => text });
const EXAMPLE = `{
  "environments": [{ "name": "preview" }]
}`;

export function PlanPage() {
  useTitle('Plan changes');
  return (
    <AdminsOnly title="Plan changes">
      <Breadcrumb crumbs={[{ label: 'Changes', href: pageOf.changes() }]} />
      <h1>Plan changes</h1>
      <p>
        Say what shall be there, as the API shows it in JSON, or as a configuration file in XML. You see what that would change, and nothing
        happens until you apply it.
      </p>
      <PlanForm />
    </AdminsOnly>
  );
}

interface Outcome {
  readonly of: string;
  readonly plan?: Plan;
  readonly failure?: string;
}

function PlanForm() {
  const text = wanted.typed.value ?? '';
  const [isPruned, setIsPruned] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const field = useRef<HTMLTextAreaElement>(null);
  useLeaveWarning(text.trim() !== '' && !wanted.isKept.value);
  const asked = `${isPruned} ${text}`;
  const make = async (): Promise<void> => {
    setIsBusy(true);
    setOutcome({ of: asked, ...(await planFor(text, isPruned)) });
    setIsBusy(false);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void make();
  };
  const forget = (): void => {
    setOutcome(undefined);
    wanted.clear();
  };
  return (
    <>
      <OfferedDraft />
      <form class="plan-form" onSubmit={submit}>
        <WantedState field={field} />
        <div class="toolbar">
          <FileChooser onText={(content) => setText(content)} />
          <label class="plan-prune">
            <input type="checkbox" checked={isPruned} onInput={({ currentTarget }) => setIsPruned(currentTarget.checked)} />
            Delete what is not listed
          </label>
          <span class="grow" />
          <button type="submit" class="button is-primary" disabled={isBusy || text.trim() === ''}>
            {isBusy ? 'Planning …' : 'Show the plan'}
          </button>
        </div>
        <p class="quiet">
          Without that, what you do not list stays as it is. With it, others of the kinds that you list are deleted; with XML, of all kinds.
        </p>
      </form>
      {outcome?.failure !== undefined && (
        <p class="refusal" role="alert">
          {outcome.failure}
        </p>
      )}
      {outcome?.plan !== undefined && (
        <PlanResult
          plan={outcome.plan}
          isOutdated={outcome.of !== asked}
          onLine={(line) => selectLine(field.current, line)}
          onAgain={() => void make()}
          onApplied={forget}
        />
      )}
    </>
  );
}

function setText(text: string): void {
  if (text === '') wanted.clear();
  else wanted.set(text);
}

/** Offers the text that was typed before the page was loaded. */
function OfferedDraft() {
  const offer = useSealedOffer(wanted);
  if (offer === undefined) return null;
  return (
    <DraftOffer draft={offer.draft} hasSecrets onContinue={() => wanted.takeUp(String(offer.packed))} onDiscard={() => wanted.clear()} />
  );
}

async function planFor(text: string, isPruned: boolean): Promise<Pick<Outcome, 'plan' | 'failure'>> {
  const { address, file } = planRequest(text, isPruned);
  try {
    return { plan: await send<Plan>(address, { method: 'POST', version: PLAN_VERSION, file }) };
  } catch (failure) {
    return { failure: messageOf(failure) };
  }
}

function WantedState({ field }: { readonly field: RefObject<HTMLTextAreaElement> }) {
  return (
    <label>
      What shall be there
      <textarea
        ref={field}
        class="plan-text"
        spellcheck={false}
        placeholder={EXAMPLE}
        value={wanted.typed.value ?? ''}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </label>
  );
}

function FileChooser({ onText }: { readonly onText: (text: string) => void }) {
  return (
    <input
      type="file"
      aria-label="Take it from a file"
      accept=".json,.xml,application/json,text/xml"
      onChange={({ currentTarget }) => {
        void currentTarget.files?.[0]?.text().then(onText);
        // Lets the same file be chosen again after it was changed.
        currentTarget.value = '';
      }}
    />
  );
}

/** Lines are counted from 1. */
function selectLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return;
  const lines = field.value.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
