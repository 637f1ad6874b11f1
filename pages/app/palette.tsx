// Goes to a page or a pipeline, or does something, by a few letters of its name.
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { PauseDialog } from '../actions/pause-dialog.tsx';
import { runNow, unlock, unpause } from '../actions/pipeline-actions.ts';
import { RunDialog } from '../actions/run-dialog.tsx';
import { messageOf } from '../api/failure.ts';
import { type PipelineName, readPipelineNames } from '../api/pipeline-names.ts';
import { currentSession } from '../api/session.ts';
import { useForms } from '../forms/schema/forms.ts';
import type { FormFacts } from '../forms/schema/schema.ts';
import { Combobox } from '../kit/dialog/combobox.tsx';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { useLocation } from '../kit/routing.ts';
import {
  actionTargets,
  type Command,
  type DialogAction,
  pageTargets,
  pipelineActions,
  pipelineTargets,
  type Target,
} from './palette-targets.ts';
import { searchEntries } from './search-entries.ts';

/** Limit of the list: users do not read more, and the next letter narrows it. */
const MAX_OPTIONS = 50;
const LABEL = 'A page, a pipeline or an action';
const NO_FORMS: readonly FormFacts[] = [];

export interface PaletteProps {
  /** The commands in the menu of the user. */
  readonly commands: readonly Command[];
  /** The text that the user typed before the field was there. */
  readonly takeTyped: () => string;
  readonly onClose: () => void;
}

export function Palette({ commands, takeTyped, onClose }: PaletteProps) {
  const [, navigate] = useLocation();
  const [query, setQuery] = useState('');
  // After its field has the focus, and before the next key.
  useLayoutEffect(() => {
    const typed = takeTyped();
    setQuery((later) => typed + later);
  }, []);
  const [asked, setAsked] = useState<DialogAction>();
  const { options, isCut, failure } = useTargets(query, commands);
  const pick = ({ action }: Target): void => {
    if (action.is === 'run with options' || action.is === 'pause') {
      setAsked(action);
      return;
    }
    onClose();
    if (action.is === 'open') navigate(action.href);
    else if (action.is === 'call') action.run();
    else if (action.is === 'run') runNow(action.pipeline);
    else if (action.is === 'unlock') unlock(action.pipeline);
    else unpause(action.pipeline);
  };
  if (asked?.is === 'run with options') return <RunDialog pipeline={asked.pipeline} onClose={onClose} />;
  if (asked?.is === 'pause') return <PauseDialog pipeline={asked.pipeline} onClose={onClose} />;
  return (
    <Dialog title="Go to" onClose={onClose}>
      <Combobox label={LABEL} placeholder={LABEL} value={query} options={options} onInput={setQuery} onPick={pick} isInline />
      {failure !== undefined && (
        <p class="refusal" role="alert">
          Pipelines could not be read. {failure}
        </p>
      )}
      <p class="quiet" role="status">
        {statusText(options.length, isCut)}
      </p>
    </Dialog>
  );
}

function useTargets(query: string, commands: readonly Command[]) {
  const { names, failure } = usePipelineNames();
  const forms = useForms().data?.forms ?? NO_FORMS;
  const { is_admin: isAdmin = false, can = {} } = currentSession() ?? {};
  const all = useMemo(() => {
    const viewer = { isAdmin, can };
    return [...pageTargets(viewer, forms), ...pipelineTargets(names), ...actionTargets(viewer, forms, commands)];
  }, [names, forms, isAdmin, can, commands]);
  const options = useMemo(() => searchEntries([...all, ...pipelineActions(names, query)], query, MAX_OPTIONS), [all, names, query]);
  return { options, isCut: options.length === MAX_OPTIONS && all.length > MAX_OPTIONS, failure };
}

function statusText(shown: number, isCut: boolean): string {
  if (shown === 0) return 'Nothing of this name.';
  return isCut ? `The first ${MAX_OPTIONS}. Type more letters to find others.` : `${shown} found.`;
}

function usePipelineNames(): { readonly names: readonly PipelineName[]; readonly failure: string | undefined } {
  const [names, setNames] = useState<readonly PipelineName[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    readPipelineNames().then(setNames, (problem: unknown) => setFailure(messageOf(problem)));
  }, []);
  return { names, failure };
}
