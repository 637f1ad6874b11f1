// The settings of a whole pipeline: labels, locks, its template, its timer.
import { useApi } from '../../api/queries.ts';
import { currentSession } from '../../api/session.ts';
import { ChoiceField, TextField } from '../../forms/edit/fields.tsx';
import { present } from '../../forms/edit/optional.ts';
import { member, type Part } from '../../forms/edit/part.ts';
import { newStage, type Pipeline, TEMPLATES_VERSION, type TrackingTool } from '../pipeline.ts';
import { TimerFields } from './timer-fields.tsx';

const LOCKS = [
  { value: 'none', label: 'Several runs at once' },
  { value: 'lockOnFailure', label: 'One run at a time; a failed one locks it until a user unlocks it' },
  { value: 'unlockWhenFinished', label: 'One run at a time; the next one begins when it has finished' },
];
const NEW_TOOL: TrackingTool = { type: 'generic', attributes: { url_pattern: '', regex: '' } };

export function GeneralForm({ part }: { readonly part: Part<Pipeline> }) {
  return (
    <>
      <TextField
        label="Label of runs"
        part={member(part, 'label_template')}
        hint="${COUNT} stands for the number of the run, ${NAME} for the revision of the material of that name."
      />
      <ChoiceField label="Runs" part={member(part, 'lock_behavior')} choices={LOCKS} />
      <TemplateField part={part} />
      <TimerFields part={member(part, 'timer')} />
      <TrackingFields part={member(part, 'tracking_tool')} />
    </>
  );
}

interface TemplatesAnswer {
  readonly _embedded: { readonly templates: readonly { readonly name: string }[] };
}

function TemplateField({ part }: { readonly part: Part<Pipeline> }) {
  const isEnabled = currentSession()?.can?.view_templates ?? false;
  const { data } = useApi<TemplatesAnswer>('/api/admin/templates', TEMPLATES_VERSION, { isEnabled });
  const { template } = part.now.value;
  const choices = (data?._embedded.templates ?? []).map(({ name }) => ({ value: name, label: `the template ${name}` }));
  const field = {
    path: [...part.path, 'template'],
    now: member(part, 'template').now,
    set: (name: string) => {
      const { stages, ...others } = part.now.peek();
      part.set({ ...others, template: name === '' ? null : name, stages: name === '' ? (stages ?? [newStage('build')]) : null });
    },
  };
  return (
    <ChoiceField
      label="Stages"
      part={field}
      choices={[{ value: '', label: 'of its own' }, ...choices]}
      hint={template === null ? undefined : 'What the template takes as #{name} stands under Parameters.'}
    />
  );
}

function TrackingFields({ part }: { readonly part: Part<TrackingTool | null> }) {
  if (part.now.value === null)
    return (
      <button type="button" class="button" onClick={() => part.set(NEW_TOOL)}>
        Link numbers in commit messages
      </button>
    );
  const attributes = member(present(part, NEW_TOOL), 'attributes');
  return (
    <fieldset>
      <legend>Numbers in commit messages</legend>
      <TextField
        label="Address"
        part={member(attributes, 'url_pattern')}
        hint="${ID} stands for the number: https://issues.example.org/${ID}"
      />
      <TextField label="What finds the number" part={member(attributes, 'regex')} hint="A regular expression, such as #(\d+)" />
      <button type="button" class="button" onClick={() => part.set(null)}>
        Remove the links
      </button>
    </fieldset>
  );
}
