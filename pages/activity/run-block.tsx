// One run: its label, stages, approver and changes.

import { Menu, type MenuItem } from '../kit/dialog/menu.tsx';
import { Link } from '../kit/link.tsx';
import { memo } from '../kit/memo.ts';
import { Comment } from '../kit/revision.tsx';
import { pageOf, useLocation } from '../kit/routing.ts';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import type { Run } from './run.ts';
import { RunChanges } from './run-changes.tsx';
import { RunStages } from './run-stages.tsx';
import { actionsOf, labelOf, type StageAction } from './stage-action.ts';

export type RunAction = StageAction | { readonly is: 'comment'; readonly run: Run };

interface RunBlockProps {
  readonly run: Run;
  readonly canComment: boolean;
  /** To be compared. */
  readonly isChosen: boolean;
  readonly onChoose: (counter: number) => void;
  readonly onAction: (action: RunAction) => void;
}

export const RunBlock = memo(function RunBlock({ run, canComment, isChosen, onChoose, onAction }: RunBlockProps) {
  const { name, counter, label, comment, scheduled_date: at, build_cause: cause } = run;
  return (
    <>
      <div class="run-line">
        <input
          type="checkbox"
          aria-label={`Choose ${label} to compare`}
          title="Choose two to compare"
          checked={isChosen}
          onInput={() => onChoose(counter)}
        />
        <Link href={pageOf.map(name, counter)} class="run-label" title={`Value stream map of ${label}`}>
          {label}
        </Link>
        <RunStages run={run} onAction={onAction} />
        <span class="run-when quiet">
          <RelativeTime at={at} /> by {cause.approver || 'unknown'}
        </span>
        <RunMenu run={run} canComment={canComment} onAction={onAction} />
      </div>
      {comment !== null && comment !== '' && (
        <div class="run-comment">
          <Comment text={comment} />
        </div>
      )}
      <RunChanges run={run} />
    </>
  );
});

function RunMenu({ run, canComment, onAction }: Pick<RunBlockProps, 'run' | 'canComment' | 'onAction'>) {
  const [, navigate] = useLocation();
  const { name, counter, label, comment } = run;
  const items: (MenuItem | false)[] = [
    counter > 1 && { label: 'Compare with the run before', run: () => navigate(pageOf.compare(name, counter - 1, counter)) },
    canComment && { label: comment ? 'Change the comment …' : 'Comment …', run: () => onAction({ is: 'comment', run }) },
    ...run.stages.flatMap((stage) =>
      actionsOf(run, stage).map((action) => ({ label: `${labelOf(action)} …`, run: () => onAction(action) })),
    ),
  ];
  const offered = items.filter((item) => item !== false);
  if (offered.length === 0) return <span />;
  return (
    <Menu label={`Actions for ${label}`} items={offered}>
      ⋯
    </Menu>
  );
}
