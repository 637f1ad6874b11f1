// Checks files before they are committed: the mistakes in them, and the changes that they would make.
import { useState } from 'preact/hooks';
import { request } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { useApi } from '../api/queries.ts';
import { DraftOffer } from '../forms/drafts/draft-offer.tsx';
import { SealedText, useSealedOffer } from '../forms/drafts/sealed-text.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { useLeaveWarning } from '../kit/fields/leave-warning.ts';
import { pageOf, useParameter } from '../kit/routing.ts';
import { useTitle } from '../kit/title.ts';
import { REPOS_VERSION, type RepoStates, STATES_ADDRESS } from './config-repo.ts';
import { type PluginList, pluginChoices } from './plugins.ts';
import {
  EXAMPLES,
  filesIn,
  formOf,
  type PastedFile,
  PREFLIGHT_VERSION,
  type PreflightResult,
  packFiles,
  preflightAddress,
} from './preflight.ts';
import { PreflightResultView } from './preflight-result.tsx';

const TITLE = 'Check files';
const pasted = new SealedText<readonly PastedFile[]>({ form: 'preflight', pack: packFiles });

export function PreflightPage() {
  useTitle(TITLE);
  return (
    <>
      <AdminBreadcrumb crumbs={[{ label: 'Config repos', href: pageOf.configRepos() }]} />
      <AdminsOnly title={TITLE}>
        <Preflight />
      </AdminsOnly>
    </>
  );
}

function Preflight() {
  const [asked, setAsked] = useState<PreflightState>();
  return (
    <>
      <h1>{TITLE}</h1>
      <p>Paste files, or name a branch, to see what would change once it is committed or merged. Nothing is changed here.</p>
      <PreflightForm isChecking={asked?.is === 'checking'} onCheck={(ask) => void check(ask, setAsked)} />
      {asked?.is === 'failed' && (
        <p class="refusal" role="alert">
          {asked.message}
        </p>
      )}
      {asked?.is === 'checked' && <PreflightResultView result={asked.result} />}
    </>
  );
}

type PreflightState =
  | { readonly is: 'checking' }
  | { readonly is: 'checked'; readonly result: PreflightResult }
  | { readonly is: 'failed'; readonly message: string };

async function check(ask: () => Promise<Response>, setState: (asked: PreflightState) => void): Promise<void> {
  setState({ is: 'checking' });
  try {
    setState({ is: 'checked', result: (await (await ask()).json()) as PreflightResult });
  } catch (problem) {
    setState({ is: 'failed', message: messageOf(problem) });
  }
}

interface PreflightFormProps {
  readonly isChecking: boolean;
  readonly onCheck: (ask: () => Promise<Response>) => void;
}

function PreflightForm({ isChecking, onCheck }: PreflightFormProps) {
  const [repo, setRepo] = useParameter('repo');
  const [plugin, setPlugin] = useParameter('plugin', 'yaml.config.plugin');
  const [ref, setRef] = useParameter('ref');
  const [isOfRef, setIsOfRef] = useState(ref !== '');
  const files = pasted.typed.value ?? [EXAMPLES[plugin] ?? { name: '', text: '' }];
  useLeaveWarning(!pasted.isKept.value);
  const plugins = useApi<PluginList>('/api/admin/plugin_info?type=configrepo', 7).data;
  const repos = useApi<RepoStates>(STATES_ADDRESS, REPOS_VERSION).data?._embedded.config_repos ?? [];
  /** Only a config repo that exists has branches. */
  const isCommitted = isOfRef && repo !== '';
  const ask = (): Promise<Response> =>
    isCommitted
      ? request(preflightAddress(plugin, repo, ref.trim()), { method: 'POST', version: PREFLIGHT_VERSION })
      : request(preflightAddress(plugin, repo), { method: 'POST', version: PREFLIGHT_VERSION, form: formOf(files) });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onCheck(ask);
      }}
    >
      <div class="row-of-fields">
        <Choose label="They are the files of" value={repo} onChange={setRepo}>
          {[{ value: '', label: 'a new config repo' }, ...repos.map(({ id }) => ({ value: id, label: id }))]}
        </Choose>
        {repo !== '' && (
          <Choose label="What to check" value={isOfRef ? 'ref' : 'files'} onChange={(value) => setIsOfRef(value === 'ref')}>
            {WHAT}
          </Choose>
        )}
        {!isCommitted && (
          <Choose label="Plugin" value={plugin} onChange={setPlugin}>
            {pluginChoices(plugins)}
          </Choose>
        )}
      </div>
      {isCommitted ? (
        <label class="form-field">
          Branch or whole commit id
          <input value={ref} required spellcheck={false} onInput={({ currentTarget }) => setRef(currentTarget.value)} />
        </label>
      ) : (
        <>
          <OfferedDraft />
          <Files files={files} onChange={(changed) => pasted.set(changed)} />
        </>
      )}
      <footer class="form-footer">
        <button type="submit" class="button is-primary" disabled={isChecking}>
          {isChecking ? 'Checking …' : 'Check'}
        </button>
      </footer>
    </form>
  );
}

/** Offers the files that were pasted before the page was loaded. */
function OfferedDraft() {
  const offer = useSealedOffer(pasted);
  if (offer === undefined) return null;
  return (
    <DraftOffer draft={offer.draft} hasSecrets onContinue={() => pasted.takeUp(filesIn(offer.packed))} onDiscard={() => pasted.clear()} />
  );
}

const WHAT = [
  { value: 'files', label: 'pasted files' },
  { value: 'ref', label: 'a branch or commit' },
];

interface ChooseProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: readonly { readonly value: string; readonly label: string }[];
}

function Choose({ label, value, onChange, children }: ChooseProps) {
  return (
    <label class="form-field">
      {label}
      <select value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)}>
        {children.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Files({ files, onChange }: { readonly files: readonly PastedFile[]; readonly onChange: (files: readonly PastedFile[]) => void }) {
  return (
    <>
      {files.map((file, index) => (
        <fieldset key={index}>
          <legend>File {index + 1}</legend>
          <label class="form-field">
            Name
            <input
              value={file.name}
              spellcheck={false}
              required
              onInput={({ currentTarget }) => onChange(files.with(index, { ...file, name: currentTarget.value }))}
            />
          </label>
          <label class="form-field">
            Content
            <textarea
              class="code"
              rows={14}
              spellcheck={false}
              value={file.text}
              onInput={({ currentTarget }) => onChange(files.with(index, { ...file, text: currentTarget.value }))}
            />
          </label>
          {files.length > 1 && (
            <button type="button" class="button" onClick={() => onChange(files.toSpliced(index, 1))}>
              Remove this file
            </button>
          )}
        </fieldset>
      ))}
      <button type="button" class="button" onClick={() => onChange([...files, { name: '', text: '' }])}>
        Add another file
      </button>
    </>
  );
}
