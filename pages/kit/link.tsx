// A link to another page. Lists have hundreds of them, so each is an element and nothing more: none listens to the address.
import type { ComponentChildren, JSX } from 'preact';
import { addressOf } from '../api/address.ts';
import { navigate } from './routing.ts';

type LinkProps = Omit<JSX.AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** The address of the page, without the context path. */
  readonly href: string;
  readonly children: ComponentChildren;
};

export function Link({ href, onClick, ...others }: LinkProps) {
  return <a {...others} href={addressOf(href)} onClick={onClick ?? follow} />;
}

/** Only a plain click stays in this window: with a key held, browsers open another window. */
export function isPlainClick({ button, ctrlKey, metaKey, altKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !altKey && !shiftKey;
}

function follow(event: JSX.TargetedMouseEvent<HTMLAnchorElement>): void {
  if (!isPlainClick(event) || event.defaultPrevented) return;
  event.preventDefault();
  navigate(event.currentTarget.href);
}
