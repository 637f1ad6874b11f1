// Keeps the focus of the keyboard in a list when the button that was pressed goes away with its row, or cannot be pressed any more.

/** Detail of clicks that are made by the keyboard. */
const BY_KEY = 0;
const NEXT = 'button:enabled, input:enabled, select:enabled, textarea:enabled';

interface Place {
  readonly container: Element;
  /** Which of the buttons that look like it. */
  readonly at: number;
}

export function keepFocus(): void {
  document.addEventListener(
    'click',
    ({ target, detail }) => {
      const pressed = target instanceof Element ? target.closest<HTMLButtonElement>('button.icon-button') : null;
      if (pressed === null || detail !== BY_KEY) return;
      const places = placesOf(pressed);
      // The page is drawn again in the next frame at the latest.
      requestAnimationFrame(() => requestAnimationFrame(() => nextFocus(pressed, places)?.focus()));
    },
    { capture: true },
  );
}

/** From the inside to the outside: what is left of them is known later. */
function placesOf(pressed: HTMLElement): readonly Place[] {
  const places: Place[] = [];
  for (let container = pressed.parentElement; container !== null && container.localName !== 'main'; container = container.parentElement)
    places.push({ container, at: alikeIn(container, pressed).indexOf(pressed) });
  return places;
}

function alikeIn(container: Element, pressed: Element): HTMLElement[] {
  return [...container.querySelectorAll<HTMLElement>('button.icon-button:enabled')].filter(
    ({ textContent }) => textContent === pressed.textContent,
  );
}

/** What gets the focus now; undefined: nothing, because it is not lost. */
function nextFocus(pressed: HTMLButtonElement, places: readonly Place[]): HTMLElement | undefined {
  // Something else has the focus, such as a dialog that was opened.
  if (document.activeElement !== document.body && document.activeElement !== pressed) return undefined;
  if (pressed.isConnected && !pressed.disabled) return pressed;
  return places
    .filter(({ container }) => container.isConnected)
    .map(({ container, at }) => {
      const alike = pressed.isConnected ? [] : alikeIn(container, pressed);
      return alike[at] ?? alike.at(-1) ?? container.querySelector<HTMLElement>(NEXT);
    })
    .find((next) => next !== null);
}
