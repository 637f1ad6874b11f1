// Where the own mail goes, and under which names one commits.
import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { MailFields, type MailSettings } from '../actions/mail-fields.tsx';
import { ApiFailure, type FieldProblems, messageOf } from '../api/failure.ts';
import { type ReadState, reloadAll, useApi } from '../api/queries.ts';
import { BodyDraftOffer } from '../forms/drafts/draft-offer.tsx';
import { useBodyDraft } from '../forms/drafts/use-body-draft.ts';
import { ChangeSummary } from '../forms/save/change-summary.tsx';
import { previewText } from '../forms/save/preview-text.ts';
import { useRecordChange } from '../forms/save/use-record-change.ts';
import { DialogProblems } from '../kit/dialog/field-problem.tsx';
import { showMessage } from '../kit/messages.tsx';
import { Loaded } from '../kit/states.tsx';
import type { MailUser } from './notification.ts';

const ADDRESS = '/api/current_user';
const VERSION = 1;

export function useMailUser(): ReadState<MailUser> {
  return useApi<MailUser>(ADDRESS, VERSION);
}

export function MailSettingsForm() {
  const read = useMailUser();
  return (
    <section aria-labelledby="mail-settings">
      <h2 id="mail-settings">Mail</h2>
      <Loaded read={read}>{(user) => <Form user={user} />}</Loaded>
    </section>
  );
}

function Form({ user: { email, email_me, checkin_aliases } }: { readonly user: MailUser }) {
  const original = { email, email_me, checkin_aliases: checkin_aliases.join(', ') };
  const settings = useMemo(() => signal<MailSettings>(original), []);
  const draft = useBodyDraft({ form: ADDRESS, etag: undefined, body: settings, original });
  const isOffered = draft.offered !== undefined;
  const { plan, isPreviewed, submit, reset } = useRecordChange({ isVersioned: true });
  const [failure, setFailure] = useState<string>();
  const [problems, setProblems] = useState<FieldProblems>({});
  const dropProblems = (): void => {
    setFailure(undefined);
    setProblems({});
  };
  const change = (): void => {
    dropProblems();
    reset();
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    dropProblems();
    try {
      const saved = await submit({ method: 'PATCH', address: ADDRESS, version: VERSION, body: settings.peek() });
      if (saved === undefined) return;
      draft.discard();
      showMessage('Your mail settings are saved.');
      reloadAll(ADDRESS);
    } catch (problem) {
      setFailure(messageOf(problem));
      if (problem instanceof ApiFailure) setProblems(problem.fields);
    }
  };
  return (
    <form class="page-form" onInput={change} onSubmit={(event) => void save(event)}>
      <BodyDraftOffer draft={draft} />
      <fieldset class="editing" disabled={isOffered}>
        <DialogProblems.Provider value={problems}>
          <MailFields
            value={settings.value}
            onChange={(changed) => {
              settings.value = changed;
            }}
          />
        </DialogProblems.Provider>
        {failure !== undefined && (
          <p class="refusal" role="alert">
            {failure}
          </p>
        )}
        {plan !== undefined && <ChangeSummary plan={plan} />}
        <button type="submit" class="button is-primary">
          {isPreviewed ? 'Save' : previewText()}
        </button>
      </fieldset>
    </form>
  );
}
