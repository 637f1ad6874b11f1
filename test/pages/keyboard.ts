// Goes through a page by the keyboard, as people without a mouse do, and says what they cannot reach or see.
import type { Locator, Page } from 'playwright-core';

/** More than the longest page of the tests needs. */
const MAX_KEYS = 400;
const KEYS_AT_ONCE = 10;

/** Notes which elements listen to a click, before any script of the page runs. */
export const NOTE_CLICKS = `{
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === 'click' && this instanceof Element) (globalThis.clickable ??= new Set()).add(this);
    return add.call(this, type, ...rest);
  };
}`;

interface Walk {
  /** Controls that are seen, and never get the focus. */
  readonly unreached: readonly string[];
  /** Controls that get the focus, and do not show it. */
  readonly unseen: readonly string[];
  /** Elements that only a mouse can press. */
  readonly onlyByMouse: readonly string[];
}

/** Walks by Tab through all controls of the open dialog, or of the page from this element on. */
export async function walk(page: Page, from = 'body'): Promise<Walk> {
  await page.evaluate(`(${BEGIN})('${from}')`);
  for (let keys = 0; keys < MAX_KEYS; keys += KEYS_AT_ONCE) {
    for (let key = 0; key < KEYS_AT_ONCE; key++) await page.keyboard.press('Tab');
    const result = await page.evaluate<Walk | 'goes on' | 'has changed'>('walk.result()');
    if (result === 'has changed') return walk(page, from);
    if (result !== 'goes on') return result;
  }
  throw new Error(`the focus does not come to the end of ${page.url()}`);
}

/** Tab by Tab, until the element has the focus. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor();
  for (let keys = 0; keys < MAX_KEYS; keys++) {
    if (await hasFocus(target.first())) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} cannot be reached by ${key} on ${page.url()}`);
}

export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}

/** Goes to it, and presses it. */
export async function press(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(page, target, key);
  await page.keyboard.press('Enter');
}

/** Goes to a field, and types over what is in it. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Evaluated by the debugger: the policy of the page forbids scripts of others. */
const BEGIN = `(from) => {
  globalThis.walk?.stop();
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]';
  /** Elements that take clicks for their parts, or as more than the control within. */
  const MAY_LISTEN = 'dialog, fieldset, form, label, [role=option]';
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector(from);
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const nameOf = (element) =>
    (element.localName + ' ' + (element.ariaLabel || element.labels?.[0]?.innerText || element.innerText || element.id || element.className)).trim().slice(0, 80);
  const isStop = (element) => {
    if (!isVisible(element) || element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) return false;
    // Arrows move the focus through radio buttons.
    return element.type !== 'radio' || element.checked;
  };
  const isUncovered = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const middle = (left + right) / 2;
    // Of a long text the line with the caret is enough.
    return [top + 8, (top + bottom) / 2, bottom - 8].some((y) => {
      const above = document.elementFromPoint(middle, y);
      return above !== null && (element.contains(above) || [...(element.labels ?? [])].some((label) => label.contains(above)));
    });
  };
  const isOutlined = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    // The editor of XML draws its own a little later, in its shadow tree.
    return element.shadowRoot !== null || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0);
  };
  const stops = () => [...root.querySelectorAll(CONTROLS)].filter(isStop);
  const atFirst = stops();
  const visited = new Set();
  const unseen = [];
  let last = null;
  let isOver = false;
  // At the next key, all that the one before has caused is done.
  const look = () => {
    const element = document.activeElement;
    // Parts of one control, such as the day and the month of a date, are stops of their own.
    if (isOver || element === last) return;
    last = element;
    // Beyond the last control is the frame of the browser.
    isOver = element === document.body || visited.has(element);
    if (isOver) return;
    visited.add(element);
    if (!isUncovered(element) || !isOutlined(element)) unseen.push(nameOf(element));
  };
  const start = document.createElement('span');
  start.tabIndex = -1;
  root.prepend(start);
  start.focus();
  start.remove();
  last = document.activeElement;
  addEventListener('keydown', look, { capture: true });
  const stop = () => removeEventListener('keydown', look, { capture: true });
  const result = () => {
    if (!isOver) return 'goes on';
    stop();
    // It was still being loaded.
    const now = stops();
    if (now.length !== atFirst.length || now.some((element, at) => element !== atFirst[at])) return 'has changed';
    const unreached = now.filter((element) => !visited.has(element));
    const onlyByMouse = [...(globalThis.clickable ?? [])]
      .filter((element) => root.contains(element) && isVisible(element) && !element.matches(CONTROLS) && !element.matches(MAY_LISTEN));
    return { unreached: unreached.map(nameOf), unseen, onlyByMouse: onlyByMouse.map(nameOf) };
  };
  globalThis.walk = { stop, result };
}`;
