// Where a popover opens: below its button, and inside the window.
const MARGIN = 4;

export function positionBelow(popover: HTMLElement, opener: HTMLElement, align: 'left' | 'right'): void {
  const { left, right, bottom } = opener.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const start = align === 'left' ? left : right - width;
  popover.style.left = `${Math.max(MARGIN, Math.min(start, innerWidth - width - MARGIN))}px`;
  popover.style.top = `${Math.max(MARGIN, Math.min(bottom + 2, innerHeight - height - MARGIN))}px`;
}
