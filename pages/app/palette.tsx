// Goes to a page or a pipeline by a few letters of its name.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { pageOfForm } from '../admin/areas.ts';
import { messageOf } from '../api/failure.ts';
import { type PipelineName, readPipelineNames } from '../api/pipeline-names.ts';
import { useForms } from '../forms/schema/forms.ts';
import type { FormFacts } from '../forms/schema/schema.ts';
import { Combobox, type ComboboxOption } from '../kit/dialog/combobox.tsx';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { pageOf, useLocation } from '../kit/routing.ts';
import { found } from './found.ts';

interface Target extends ComboboxOption {
  readonly href: string;
  readonly about?: string;
}

/** More than anybody reads; the next letter narrows them. */
const MOST = 50;

const PAGES: readonly Target[] = [
  { key: 'page pipelines', label: 'Pipelines', hint: 'page', href: pageOf.dashboard() },
  { key: 'page materials', label: 'Materials', hint: 'page', href: pageOf.materials() },
  { key: 'page agents', label: 'Agents', hint: 'page', href: pageOf.agents() },
  { key: 'page changes', label: 'Changes', hint: 'admin page', href: pageOf.changes() },
  { key: 'page plan', label: 'Plan changes', hint: 'admin page', href: pageOf.plan() },
  { key: 'page config xml', label: 'Configuration as XML', hint: 'admin page', href: pageOf.configXml() },
  { key: 'page admin pipelines', label: 'Edit pipelines and groups', hint: 'page', href: pageOf.adminPipelines() },
  { key: 'page new pipeline', label: 'New pipeline', hint: 'page', href: pageOf.newPipeline() },
  { key: 'page templates', label: 'Templates', hint: 'page', href: pageOf.templates() },
  { key: 'page environments', label: 'Environments', hint: 'page', href: pageOf.environments() },
  { key: 'page config repos', label: 'Config repos', hint: 'page', href: pageOf.configRepos() },
  { key: 'page health', label: 'Health', hint: 'page', href: pageOf.health() },
  { key: 'page access tokens', label: 'Access tokens', hint: 'page', href: pageOf.tokens() },
  { key: 'page all access tokens', label: 'Access tokens of all users', hint: 'admin page', href: pageOf.allTokens() },
  { key: 'page all sessions', label: 'Sessions of all users', hint: 'admin page', href: pageOf.allSessions() },
  { key: 'page service accounts', label: 'Service accounts', hint: 'admin page', href: pageOf.serviceAccounts() },
  { key: 'page users', label: 'Users', hint: 'admin page', href: pageOf.users() },
  { key: 'page backup', label: 'Backups', hint: 'admin page', href: pageOf.backup() },
  { key: 'page maintenance', label: 'Maintenance mode', hint: 'admin page', href: pageOf.maintenance() },
  { key: 'page webhooks', label: 'Webhooks', hint: 'admin page', href: pageOf.webhooks() },
  { key: 'page events', label: 'Events and audit', hint: 'admin page', href: pageOf.events() },
  { key: 'page notifications', label: 'Notifications', hint: 'page', href: pageOf.notifications() },
  { key: 'page replicas', label: 'Replicas', hint: 'admin page', href: pageOf.replicas() },
];

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const [query, setQuery] = useState('');
  const { names, failure } = usePipelineNames();
  const forms = useForms().data?.forms;
  const all = useMemo(() => [...PAGES, ...(forms ?? []).flatMap(formTarget), ...names.map(targetOf)], [names, forms]);
  const options = useMemo(() => found(all, query, MOST), [all, query]);
  const open = ({ href }: Target): void => {
    onClose();
    navigate(href);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <Combobox
        label="A page or a pipeline"
        placeholder="A page or a pipeline"
        value={query}
        options={options}
        onInput={setQuery}
        onPick={open}
        isInline
      />
      {failure !== undefined && (
        <p class="refusal" role="alert">
          Pipelines could not be read. {failure}
        </p>
      )}
      <p class="quiet" role="status">
        {statusText(options.length, all.length)}
      </p>
    </Dialog>
  );
}

function statusText(shown: number, all: number): string {
  if (shown === 0) return 'Nothing of this name.';
  return shown === MOST && all > MOST ? `The first ${MOST}. Type more letters to find others.` : `${shown} found.`;
}

function targetOf({ name, group }: PipelineName): Target {
  return { key: `pipeline ${name}`, label: name, hint: group, href: pageOf.activity(name) };
}

function formTarget(form: FormFacts): Target[] {
  return form.can_view
    ? [{ key: `form ${form.resource}`, label: form.title, hint: 'admin', href: pageOfForm(form), about: form.about }]
    : [];
}

function usePipelineNames(): { readonly names: readonly PipelineName[]; readonly failure: string | undefined } {
  const [names, setNames] = useState<readonly PipelineName[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    readPipelineNames().then(setNames, (problem: unknown) => setFailure(messageOf(problem)));
  }, []);
  return { names, failure };
}
