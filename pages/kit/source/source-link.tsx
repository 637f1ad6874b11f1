// Where something is defined: a link to the line on the website of the repository, or file, line and revision to copy.
import { CopyButton } from '../copy-button.tsx';
import { shortRevision } from '../text/text.ts';
import { type FileLocation, webLink } from './web-link.ts';

export interface SourceLinkProps extends FileLocation {
  /** The address of the repository. */
  readonly repository: string;
}

export function SourceLink({ repository, file, line, revision }: SourceLinkProps) {
  const text = line === null ? file : `${file}:${line}`;
  const href = webLink(repository, { file, line, revision });
  if (href !== undefined)
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    );
  return (
    <span>
      <code>{text}</code> <span class="quiet">at</span> <code title={revision}>{shortRevision(revision)}</code>{' '}
      <CopyButton text={`${text} ${revision}`} label={`Copy ${text}`} />
    </span>
  );
}
